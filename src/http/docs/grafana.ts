/** A Grafana dashboard, ready to import: what an operator looks at first, based on `/metrics`. */
interface Panel {
  title: string;
  unit: "short" | "s" | "bytes" | "reqps" | "percentunit" | "percent";
  /** Queries of the lines by legend. */
  lines: Record<string, string>;
}

const rate = (metric: string, by?: string): string => {
  const sum = by ? `sum by (${by})` : "sum";
  return `${sum} (rate(${metric}{job=~"$job"}[$__rate_interval]))`;
};
const of = (aggregate: string, metric: string): string => `${aggregate}(${metric}{job=~"$job"})`;
const HITS = rate("waymark_link_cache_hits_total");
const LOADS = rate("waymark_link_cache_loads_total");
const slowest = (quantile: number): string =>
  `histogram_quantile(${quantile}, ${rate("waymark_api_request_seconds_bucket", "le")})`;

const PANELS: readonly Panel[] = [
  { title: "Visits by outcome", unit: "reqps", lines: { "{{outcome}}": rate("waymark_visits_total", "outcome") } },
  { title: "Refused visits", unit: "reqps", lines: { "{{reason}}": rate("waymark_refused_visits_total", "reason") } },
  {
    title: "Fast lane",
    unit: "reqps",
    lines: {
      redirected: rate("waymark_lane_visits_total"),
      "connections handed over": rate("waymark_lane_connections_handed_on_total"),
    },
  },
  { title: "Degraded servers", unit: "short", lines: { degraded: of("sum", "waymark_degraded") } },
  {
    title: "Click lag",
    unit: "s",
    lines: { "{{instance}}": of("max by (instance) ", "waymark_click_lag_seconds") },
  },
  {
    title: "Spool",
    unit: "bytes",
    lines: {
      pending: of("sum", "waymark_spool_pending_bytes"),
      damaged: of("sum", "waymark_spool_damaged_bytes_total"),
    },
  },
  {
    title: "Clicks",
    unit: "reqps",
    lines: {
      recorded: rate("waymark_clicks_recorded_total"),
      "in Postgres": rate("waymark_clicks_applied_total"),
      "lost (shed)": rate("waymark_clicks_shed_total"),
      "set aside": rate("waymark_clicks_poisoned_total"),
    },
  },
  {
    title: "Clicks per batch",
    unit: "short",
    lines: { clicks: `${rate("waymark_clicks_applied_total")} / ${rate("waymark_click_batches_total")}` },
  },
  { title: "Link cache hits", unit: "percentunit", lines: { hits: `${HITS} / (${HITS} + ${LOADS})` } },
  {
    title: "Link cache",
    unit: "bytes",
    lines: { taken: of("sum", "waymark_link_cache_bytes"), bound: of("sum", "waymark_link_cache_max_bytes") },
  },
  {
    title: "New links announced in batches",
    unit: "short",
    lines: { "{{instance}}": rate("waymark_new_links_told_together_total", "instance") },
  },
  { title: "Links in memory", unit: "short", lines: { "{{form}}": of("sum by (form) ", "waymark_link_cache_links") } },
  {
    title: "API requests",
    unit: "reqps",
    lines: { "{{status}}": rate("waymark_api_request_seconds_count", "status") },
  },
  { title: "API latency", unit: "s", lines: { p50: slowest(0.5), p95: slowest(0.95), p99: slowest(0.99) } },
  {
    title: "Webhook attempts",
    unit: "reqps",
    lines: { "{{outcome}}": rate("waymark_webhook_tries_total", "outcome") },
  },
  {
    title: "Webhooks waiting",
    unit: "short",
    lines: { pending: of("max", "waymark_webhook_pending") },
  },
  {
    title: "Age of the oldest due webhook",
    unit: "s",
    lines: { due: of("max", "waymark_webhook_oldest_due_seconds") },
  },
  {
    title: "Failed metric reads",
    unit: "short",
    lines: { "{{reading}}": rate("waymark_metrics_readings_failed_total", "reading") },
  },
  {
    title: "Database connections for requests",
    unit: "short",
    lines: { "{{instance}}": of("sum by (instance) ", "waymark_postgres_connections") },
  },
  {
    title: "Requests without a database connection",
    unit: "short",
    lines: {
      waiting: of("sum", "waymark_requests_waiting"),
      "refused per second": rate("waymark_requests_refused_total"),
    },
  },
  {
    title: "Replica lag",
    unit: "s",
    lines: { "{{instance}}": of("max by (instance) ", "waymark_replica_lag_seconds") },
  },
  {
    title: "Reads of figures and links",
    unit: "reqps",
    lines: {
      "from the {{from}}": rate("waymark_replica_reads_total", "from"),
      "links from the replica": rate("waymark_replica_links_total"),
      "servers that reach the replica": of("sum", "waymark_replica_up"),
    },
  },
  {
    title: "Event loop delay",
    unit: "s",
    lines: { "{{quantile}}": of("max by (quantile) ", "waymark_event_loop_delay_seconds") },
  },
  { title: "Processor", unit: "short", lines: { cores: rate("process_cpu_seconds_total") } },
  {
    title: "Memory",
    unit: "bytes",
    lines: { "{{instance}} {{worker}}": of("sum by (instance, worker) ", "process_resident_memory_bytes") },
  },
  {
    title: "Uptime",
    unit: "s",
    lines: { "{{instance}} {{worker}}": 'time() - process_start_time_seconds{job=~"$job"}' },
  },
];

const COLUMNS = 3;
const [WIDTH, HEIGHT] = [8, 7];
const DATASOURCE = { type: "prometheus", uid: "$" + "{datasource}" };

export const grafanaBoard = () => ({
  title: "Waymark",
  uid: "waymark",
  tags: ["waymark"],
  schemaVersion: 39,
  refresh: "30s",
  time: { from: "now-6h", to: "now" },
  templating: {
    list: [
      { name: "datasource", type: "datasource", query: "prometheus", label: "Data source" },
      {
        ...{ name: "job", type: "query", label: "Job", datasource: DATASOURCE, multi: true, includeAll: true },
        ...{ query: "label_values(waymark_degraded, job)", refresh: 2, current: { text: "All", value: "$__all" } },
      },
    ],
  },
  panels: PANELS.map(({ title, unit, lines }, index) => ({
    ...{ id: index + 1, type: "timeseries", title, datasource: DATASOURCE },
    gridPos: { w: WIDTH, h: HEIGHT, x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(lines).map(([legendFormat, expr], line) => ({
      ...{ refId: String.fromCharCode(65 + line), expr, legendFormat, datasource: DATASOURCE },
    })),
  })),
});
