/**
 * What Prometheus is told, in its own format by its own library. Values are kept as plain numbers by those who count, and
 * read when somebody asks; only API requests are put into a histogram as they end. Every series carries the number of the
 * worker, so that each one's counters may begin anew without the others' seeming to.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObject, Registry } from "prom-client";

export interface Reading {
  name: string;
  help: string;
  type: "counter" | "gauge";
  /** Of the values, where there are several. */
  label?: string;
  /** One value, or one for each of the label's. Absent for now: undefined. */
  read(): Values | Promise<Values>;
}

export type Values = number | Record<string, number> | undefined;

/** The metrics of one process, as they go to whoever joins those of several. */
export type WorkerMetrics = MetricObject[];

export interface Metrics extends Disposable {
  /** How an API request ended, and after how many seconds. */
  request(route: string, method: string, status: number, seconds: number): void;
  read(): Promise<WorkerMetrics>;
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DELAY_RESOLUTION_MS = 20;
const DELAY_WINDOW_MS = 10_000;
const NS = 1e9;

export function openMetrics(worker: number, readings: readonly Reading[]): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ worker: String(worker) });
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  for (const reading of [...readings, ...processReadings(delay)]) register(registry, reading);
  const requests = new Histogram({
    name: "waymark_api_request_seconds",
    help: "API requests by route, method and status, with their duration",
    labelNames: ["route", "method", "status"],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  return {
    request: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    read: async () => (await registry.getMetricsAsJSON()).map((metric) => ({ ...metric })),
    [Symbol.dispose]: () => void delay.disable(),
  };
}

/** The text that is scraped, of any number of processes. */
export const joined = (metrics: WorkerMetrics[]): Promise<string> => AggregatorRegistry.aggregate(metrics).metrics();

function register(registry: Registry, { name, help, type, label, read }: Reading): void {
  const labelNames = label ? [label] : [];
  const put = async (metric: Gauge | Counter) => {
    const values = await read();
    // At once from here on, or two scrapes at a time would add up.
    metric.reset();
    // A reset leaves a series without labels at 0, which nobody has counted.
    if (values === undefined) metric.remove();
    else if (typeof values === "number") metric.inc(values);
    else for (const [value, count] of Object.entries(values)) metric.inc({ [label ?? ""]: value }, count);
  };
  const options = { name, help, labelNames, registers: [registry] };
  if (type === "gauge") {
    new Gauge({
      ...options,
      async collect() {
        await put(this);
      },
    });
  } else {
    new Counter({
      ...options,
      async collect() {
        await put(this);
      },
    });
  }
}

const processReadings = (delay: ReturnType<typeof monitorEventLoopDelay>): Reading[] => [
  {
    name: "waymark_event_loop_delay_seconds",
    help: "Delay of the event loop thread over the last seconds",
    type: "gauge",
    label: "quantile",
    read: delayReader(delay),
  },
  {
    name: "process_cpu_seconds_total",
    help: "CPU time of the process, all threads",
    type: "counter",
    read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  {
    name: "process_resident_memory_bytes",
    help: "Memory use of the process",
    type: "gauge",
    read: () => process.memoryUsage.rss(),
  },
  {
    name: "process_start_time_seconds",
    help: "Start time of the process, in Unix time",
    type: "gauge",
    read: () => performance.timeOrigin / 1000,
  },
];

/** Since a look of at least `DELAY_WINDOW_MS` ago, however many look. */
function delayReader(delay: ReturnType<typeof monitorEventLoopDelay>): () => Values {
  let since = performance.now();
  return () => {
    const values = { "0.5": delay.percentile(50) / NS, "0.99": delay.percentile(99) / NS, "1": delay.max / NS };
    const now = performance.now();
    if (now - since > DELAY_WINDOW_MS) {
      delay.reset();
      since = now;
    }
    return values;
  };
}
