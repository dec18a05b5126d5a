/**
 * Metrics for Prometheus. Values are plain numbers, kept where they are counted and read on a scrape. The library
 * that implements Prometheus's format is loaded for the first scrape. Every series is labeled with the number of its
 * worker, so that one worker's counters can restart without the others appearing to.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { RequestSeconds } from "./request-seconds";

export interface Reading {
  name: string;
  help: string;
  type: "counter" | "gauge";
  /** The label that tells the values apart, if there are several. */
  label?: string;
  /** Returns one value, or one for each value of the label; undefined if there is none at present. */
  read(): Values | Promise<Values>;
}

export type Values = number | Record<string, number> | undefined;

/** One metric of one process, in the form that the library takes. */
export interface WorkerMetric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** How the library combines series with the same labels. */
  aggregator: "sum";
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

/** The metrics of one process, as sent to the process that joins those of several. */
export type WorkerMetrics = WorkerMetric[];

export interface Metrics extends Disposable {
  /** Records the status of an API request and how many seconds it took. */
  request(route: string, method: string, status: number, seconds: number): void;
  read(): Promise<WorkerMetrics>;
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const DELAY_RESOLUTION_MS = 20;
const DELAY_WINDOW_MS = 10_000;
const NS = 1e9;

export function openMetrics(worker: number, readings: readonly Reading[]): Metrics {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  const all = [...readings, ...processReadings(delay)];
  const requests = new RequestSeconds();
  return {
    request: (route, method, status, seconds) => requests.add(route, method, status, seconds),
    async read() {
      const metrics = [...(await Promise.all(all.map(metricOf))), requests.metric()];
      return metrics.map((metric) => ofWorker(worker, metric));
    },
    [Symbol.dispose]: () => void delay.disable(),
  };
}

/** Returns the text for a scrape, from the metrics of any number of processes. */
export async function renderMetrics(metrics: WorkerMetrics[]): Promise<string> {
  const { AggregatorRegistry } = await import("prom-client");
  return AggregatorRegistry.aggregate(metrics).metrics();
}

async function metricOf({ name, help, type, label, read }: Reading): Promise<WorkerMetric> {
  const values = await read();
  const samples =
    typeof values === "number" ? [{ labels: {}, value: values }] : samplesByLabel(label ?? "", values ?? {});
  return { name, help, type, aggregator: "sum", values: samples };
}

const samplesByLabel = (label: string, values: Record<string, number>): WorkerMetric["values"] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));

const ofWorker = (worker: number, metric: WorkerMetric): WorkerMetric => ({
  ...metric,
  values: metric.values.map((sample) => ({ ...sample, labels: { worker: String(worker), ...sample.labels } })),
});

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

/**
 * Returns a reader of the delays since the last reset. A read more than `DELAY_WINDOW_MS` after that resets them, so
 * that several scrapers do not shorten each other's window.
 */
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
