/**
 * A metric that costs a query. It is asked for at most once every `everyMs`, however many scrape, and waited for no longer
 * than `msMax`, so that one slow query never costs a scrape all the others. Only one query is under way at a time.
 *
 * An answer that fails or comes late leaves no value until the next look, and is counted: a series that ends without a word
 * looks like one that nobody watches. The answer and the count live in memory; a crash begins both anew.
 */
import { Wait } from "../db/connection/wait";

export interface KeptReading<Answer> {
  /** The last answer; undefined where there was none in time. */
  read(): Promise<Answer | undefined>;
  /** How often there was none. */
  failed(): number;
}

export interface Pace {
  everyMs: number;
  msMax: number;
}

export function keptReading<Answer>({ everyMs, msMax }: Pace, ask: () => Promise<Answer>): KeptReading<Answer> {
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
