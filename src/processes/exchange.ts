/**
 * Gathers the metrics of all workers for one that is asked for them: it asks the supervisor, which returns them.
 * Without a timely response, the worker's own metrics must do. At most `ASKED_MAX` requests are open; a crash loses
 * them with the scrape.
 */
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import type { GatherMetrics } from "@/service";

/** Milliseconds to wait for the supervisor: longer than it waits for any worker, and less than a scrape may take. */
const ANSWER_MS_MAX = 8_000;
const ASKED_MAX = 100;

export interface Exchange {
  gather: GatherMetrics;
  heard(id: number, metrics: WorkerMetrics[]): void;
}

export function createExchange(ask: (id: number) => void): Exchange {
  const asked = new Map<number, (metrics: WorkerMetrics[]) => void>();
  let questions = 0;
  return {
    async gather(own) {
      if (asked.size >= ASKED_MAX) return [await own()];
      const id = ++questions;
      const answer = Promise.withResolvers<WorkerMetrics[]>();
      asked.set(id, answer.resolve);
      const timer = setTimeout(answer.resolve, ANSWER_MS_MAX, []);
      ask(id);
      const metrics = await answer.promise;
      clearTimeout(timer);
      asked.delete(id);
      return metrics.length > 0 ? metrics : [await own()];
    },
    heard: (id, metrics) => asked.get(id)?.(metrics),
  };
}
