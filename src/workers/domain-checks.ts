/**
 * Looks verified domains up again once a day, each when its own day is over, so that they spread: longest ago first, a
 * batch at a time.
 */
import { checkDue, type DueBatches } from "./due-batches";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 10 * 60_000;
const BOUNDS = { batch: 100, concurrency: 10, runMax: 5_000 };

export type DomainChecksOptions<Due, Outcome extends string> = Pick<
  DueBatches<Due, Outcome>,
  "due" | "recheck" | "log"
>;

export const domainChecks = <Due, Outcome extends string>(options: DomainChecksOptions<Due, Outcome>): PeriodicJob => ({
  name: "domain checks",
  everyMs: EVERY_MS,
  run: (signal) =>
    checkDue(
      {
        ...options,
        onFailure: "could not check a domain",
        bounds: BOUNDS,
        // Where a whole run comes to nothing, so would the next batch.
        isHopeless: ({ failed }, checked) => failed === checked,
      },
      signal,
    ),
});
