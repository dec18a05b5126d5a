/**
 * Durations of API requests as a Prometheus histogram: by route, method and status, with as many series as the API
 * declares. They are plain numbers, and are lost in a crash.
 */
import type { WorkerMetric } from "./metrics";

interface Series {
  labels: { route: string; method: string; status: number };
  /** Number of requests by the index of the smallest of `BOUNDS` that they stayed within; -1 if none. */
  countsByBound: number[];
  count: number;
  sum: number;
}

const NAME = "waymark_api_request_seconds";
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class RequestSeconds {
  readonly #series = new Map<string, Series>();

  add(route: string, method: string, status: number, seconds: number): void {
    const key = `${status} ${method} ${route}`;
    const series = this.#series.get(key) ?? { labels: { route, method, status }, countsByBound: [], count: 0, sum: 0 };
    this.#series.set(key, series);
    const bound = BOUNDS.findIndex((each) => seconds <= each);
    series.countsByBound[bound] = (series.countsByBound[bound] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
  }

  metric(): WorkerMetric {
    return {
      name: NAME,
      help: "API requests by route, method and status, with their duration",
      type: "histogram",
      aggregator: "sum",
      values: [...this.#series.values()].flatMap(samplesOf),
    };
  }
}

/** A bucket counts the requests within its bound, which includes those within all smaller bounds. */
function samplesOf({ labels, countsByBound, count, sum }: Series): WorkerMetric["values"] {
  let soFar = 0;
  const buckets = BOUNDS.map((le, index) => {
    soFar += countsByBound[index] ?? 0;
    return { le, value: soFar };
  });
  return [
    ...[...buckets, { le: "+Inf", value: count }].map(({ le, value }) => ({
      ...{ metricName: `${NAME}_bucket`, labels: { le, ...labels }, value },
    })),
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
