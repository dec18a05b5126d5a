/**
 * Checks verified domains again once a day, each a day after its own last check, so that the checks spread: the
 * longest ago first, a batch at a time.
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
        // If everything so far has failed, so would the next batch.
        isHopeless: ({ failed }, checked) => failed === checked,
      },
      signal,
    ),
});
