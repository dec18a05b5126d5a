/** What the service reports about itself: its current faults, and each metric from where it is counted. */
import type { Sql } from "postgres";
import type { ClickPipeline } from "@/clicks/pipeline";
import type { VisitCounts } from "@/edge/visit-counts";
import type { LaneCounts } from "@/lane/options";
import type { Database } from "@/platform/db/client";
import { outsideRequests } from "@/platform/db/connection/request-queue";
import type { Replica } from "@/platform/db/replica/replica";
import type { LinkCache } from "@/platform/link-cache/cache";
import type { Links } from "@/platform/link-cache/open";
import type { OpenRoutingChanges } from "@/platform/routing-changes";
import { createCachedReading } from "@/platform/telemetry/cached-reading";
import type { Reading } from "@/platform/telemetry/metrics";

export interface DeliveryCounts {
  delivered: number;
  failed: number;
}

export interface Measured {
  visits: VisitCounts;
  lane: LaneCounts;
  cache: LinkCache;
  changeRouting: OpenRoutingChanges;
  clicks: ClickPipeline;
  deliveries: DeliveryCounts;
  database: Database;
  replica: Replica | null;
  faults(): string[];
}

const CLICKS_LATE_MS = 10_000;

/** Returns a function that lists current faults, in a few words each. It queries nothing. */
export const readingFaultsOf = (links: Links, clicks: ClickPipeline) => (): string[] => {
  const { lagMs, isBlocked } = clicks.stats();
  return [
    ...links.faults(),
    ...(isBlocked ? ["cannot write to the click spool"] : []),
    ...(lagMs > CLICKS_LATE_MS ? [`clicks are ${Math.round(lagMs / 1000)} s late`] : []),
  ];
};

export const readingsOf = (measured: Measured): Reading[] => [
  ...visitReadings(measured.visits),
  counter("waymark_lane_visits_total", "Visits and resolves answered in the fast lane", () => measured.lane.answered),
  counter(
    "waymark_lane_connections_handed_on_total",
    "Connections opened to the server behind the fast lane, for what the lane does not answer",
    () => measured.lane.tunnels,
  ),
  ...cacheReadings(measured.cache),
  counter(
    "waymark_new_links_told_together_total",
    "New links not announced to other servers one by one (too many, or an error); one notice made them check all links again",
    () => measured.changeRouting.replacedNotices(),
  ),
  ...clickReadings(measured.clicks),
  ...webhookReadings(measured),
  {
    name: "waymark_postgres_connections",
    help: "Open Postgres connections for requests",
    type: "gauge",
    read: () => measured.database.connections(),
  },
  ...requestReadings(measured),
  ...(measured.replica ? replicaReadings(measured.replica) : []),
  {
    name: "waymark_degraded",
    help: "1 while /health reports degraded",
    type: "gauge",
    read: () => (measured.faults().length > 0 ? 1 : 0),
  },
];

const counter = (name: string, help: string, read: Reading["read"], label?: string): Reading => ({
  ...{ name, help, type: "counter", read, label },
});
const gauge = (name: string, help: string, read: Reading["read"], label?: string): Reading => ({
  ...{ name, help, type: "gauge", read, label },
});

const visitReadings = (visits: VisitCounts): Reading[] => [
  counter(
    "waymark_visits_total",
    "Served visits, by what decided the destination; `page` for visits that were shown a page",
    () => ({ ...visits.redirects, page: visits.pages }),
    "outcome",
  ),
  counter("waymark_refused_visits_total", "Unserved visits, by reason", () => ({ ...visits.refusals }), "reason"),
];

const cacheReadings = (cache: LinkCache): Reading[] => [
  counter("waymark_link_cache_hits_total", "Lookups answered from memory", () => cache.stats().hits),
  counter("waymark_link_cache_loads_total", "Lookups loaded from Redis or Postgres", () => cache.stats().loads),
  gauge(
    "waymark_link_cache_links",
    "Links in memory: ready to serve, or packed, which takes a few microseconds longer",
    () => ({ ready: cache.stats().entries, packed: cache.stats().packed }),
    "form",
  ),
  gauge("waymark_link_cache_bytes", "Estimated memory of the link cache", () => cache.stats().bytes),
  gauge(
    "waymark_link_cache_max_bytes",
    "Maximum memory of the link cache: LINK_CACHE_MB",
    () => cache.stats().bytesMax,
  ),
];

const clickReadings = (clicks: ClickPipeline): Reading[] => [
  counter("waymark_clicks_recorded_total", "Clicks and opens written to the spool", () => clicks.stats().appended),
  counter("waymark_clicks_shed_total", "Clicks lost because the disk or spool was full", () => clicks.stats().shed),
  counter("waymark_clicks_applied_total", "Clicks and opens written to Postgres", () => clicks.stats().applied),
  counter(
    "waymark_clicks_poisoned_total",
    "Clicks set aside in DATA_DIR/spool/poison because they could not be applied",
    () => clicks.stats().poisoned,
  ),
  counter(
    "waymark_click_batches_total",
    "Transactions that wrote clicks or opens to Postgres",
    () => clicks.stats().batches,
  ),
  counter("waymark_spool_damaged_bytes_total", "Spool bytes that the disk lost", () => clicks.stats().damagedBytes),
  gauge(
    "waymark_spool_pending_bytes",
    "Clicks and opens written but not yet in Postgres",
    () => clicks.stats().pendingBytes,
  ),
  gauge("waymark_click_lag_seconds", "How late clicks reach Postgres, in seconds", () => clicks.stats().lagMs / 1000),
];

const replicaReadings = (replica: Replica): Reading[] => [
  counter(
    "waymark_replica_reads_total",
    "Reads of figures and exports, by the Postgres that answered them",
    () => ({ ...replica.reads }),
    "from",
  ),
  counter("waymark_replica_links_total", "Links loaded from the replica", () => replica.linkReads),
  gauge("waymark_replica_up", "1 while the replica responds", () => (replica.state === "away" ? 0 : 1)),
  gauge("waymark_replica_lag_seconds", "How late the replica is, in seconds", () => replica.lagMs / 1000),
];

function requestReadings({ database, replica }: Measured): Reading[] {
  const queues = [database.queue, replica?.database.queue].filter((queue) => queue !== undefined);
  const sumOf = (name: "waiting" | "refused") => queues.reduce((sum, queue) => sum + queue[name], 0);
  return [
    gauge("waymark_requests_waiting", "Statements of API requests that wait for a Postgres connection", () =>
      sumOf("waiting"),
    ),
    counter(
      "waymark_requests_refused_total",
      "API requests refused with 503 because too many waited for a Postgres connection",
      () => sumOf("refused"),
    ),
  ];
}

const QUEUE_COUNTED_MAX = 100_000;
/** Prometheus gives up a scrape after 10 s, so a slow count must not block one. */
const QUEUE_LOOK = { everyMs: 15_000, msMax: 2_000 };

function webhookReadings({ deliveries, database }: Measured): Reading[] {
  const queue = createCachedReading(QUEUE_LOOK, () => outsideRequests(() => queueOf(database.sql)));
  return [
    counter(
      "waymark_webhook_tries_total",
      "Attempted webhook deliveries, by outcome",
      () => ({ ...deliveries }),
      "outcome",
    ),
    gauge(
      "waymark_webhook_pending",
      `Waiting deliveries of all servers, counted up to ${QUEUE_COUNTED_MAX}`,
      async () => (await queue.read())?.pending,
    ),
    gauge(
      "waymark_webhook_oldest_due_seconds",
      "Time since the longest-waiting delivery was due, among those counted",
      async () => (await queue.read())?.oldestDueSeconds,
    ),
    counter(
      "waymark_metrics_readings_failed_total",
      "Values that Postgres did not return in time; their series are absent until it does",
      async () => {
        await queue.read();
        return { webhook_queue: queue.failed() };
      },
      "reading",
    ),
  ];
}

interface Queue {
  pending: number;
  oldestDueSeconds: number;
}

async function queueOf(sql: Sql): Promise<Queue | undefined> {
  const [queue] = await sql<Queue[]>`
    select count(*)::int as pending,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "oldestDueSeconds"
    from (select due_at from webhook_deliveries where status = 'pending' limit ${QUEUE_COUNTED_MAX}) waiting`;
  return queue;
}
