/**
 * A metric that takes a query to read. The query runs at most once every `everyMs`, however many scrapes there are. A
 * scrape waits for it no longer than `msMax`, so that one slow query never costs a scrape all its other metrics. Only
 * one query is in progress at a time.
 *
 * If the query fails or is late, there is no value until the next one, and the failure is counted: a series that ends
 * silently looks like one that nobody collects. The value and the count are kept in memory; a crash resets both.
 */
import { Wait } from "../db/connection/wait";

export interface CachedReading<Answer> {
  /** Resolves to the last value; undefined if the query failed or was late. */
  read(): Promise<Answer | undefined>;
  /** Returns how many queries have failed or were late. */
  failed(): number;
}

export interface Pace {
  everyMs: number;
  msMax: number;
}

export function createCachedReading<Answer>(
  { everyMs, msMax }: Pace,
  ask: () => Promise<Answer>,
): CachedReading<Answer> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
  let underWay: Promise<Answer> | undefined;
  let failed = 0;
  return {
    failed: () => failed,
    read() {
      const now = performance.now();
      if (now - askedAt >= everyMs) {
        askedAt = now;
        answer = inTime();
      }
      return answer;
    },
  };

  async function inTime(): Promise<Answer | undefined> {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    try {
      return await new Wait().until(underWay, msMax);
    } catch {
      failed += 1;
      return undefined;
    }
  }
}
