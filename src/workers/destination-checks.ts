/**
 * Checks periodically whether links' destinations exist, a batch at a time. A run ends after a minute, whatever is
 * left, so that slow hosts do not delay other periodic work; the next run takes the rest.
 */
import { checkDue, type DueBatches } from "./due-batches";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 5 * 60_000;
const RUN_MS_MAX = 60_000;
const BOUNDS = { batch: 100, concurrency: 8, runMax: 5_000 };
/** Failures after which a run leaves the rest to the next one. */
const FAILURES_MAX = 100;

export type DestinationChecksOptions<Due, Outcome extends string> = Pick<
  DueBatches<Due, Outcome>,
  "due" | "recheck" | "log"
>;

export const checkDestinations = <Due, Outcome extends string>(
  options: DestinationChecksOptions<Due, Outcome>,
): PeriodicJob => ({
  name: "destination checks",
  everyMs: EVERY_MS,
  run: (signal) =>
    checkDue(
      {
        ...options,
        onFailure: "could not check a link's destinations",
        bounds: BOUNDS,
        isHopeless: ({ failed = 0 }) => failed >= FAILURES_MAX,
      },
      AbortSignal.any([signal, AbortSignal.timeout(RUN_MS_MAX)]),
    ),
});

/** Bounds of one run: a bulk of 200,000 links then takes a day and a half, and the hosts they lead to hardly notice. */
const UNVISITED_BOUNDS = { batch: 50, concurrency: 8, runMax: 500 };
const UNVISITED_RUN_MS_MAX = 30_000;

export const unvisitedDestinationChecks = <Due, Outcome extends string>({
  dueUnvisited,
  runMsMax = UNVISITED_RUN_MS_MAX,
  ...options
}: Omit<DestinationChecksOptions<Due, Outcome>, "due"> & {
  dueUnvisited: DueBatches<Due, Outcome>["due"];
  runMsMax?: number;
}): PeriodicJob => ({
  name: "destination checks of unvisited links",
  everyMs: EVERY_MS,
  run: (signal) =>
    checkDue(
      {
        ...options,
        due: dueUnvisited,
        onFailure: "could not check a link's destinations",
        bounds: UNVISITED_BOUNDS,
        isHopeless: ({ failed = 0, changed = 0 }) => failed + changed >= FAILURES_MAX,
      },
      AbortSignal.any([signal, AbortSignal.timeout(runMsMax)]),
    ),
});
