/**
 * Checks links' safety periodically, a batch at a time. If the blocklist was replaced, it first checks the links that
 * the new one affects; then those never fully checked, and those whose last check is too long ago.
 */
import { checkDue, type DueBatches } from "./due-batches";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 2 * 60_000;
const BOUNDS = { batch: 200, concurrency: 8, runMax: 20_000 };
/**
 * Bounds if no external service is queried: eight checks at a time would take a core from requests, and a run must
 * end within a minute so that other periodic work need not wait. That is still 25 million links a week.
 */
const LOCAL_BOUNDS = { batch: 200, concurrency: 1, runMax: 5_000 };
/** Failures after which a run leaves the rest to the next one. */
const FAILURES_MAX = 100;

export interface SafetyChecksOptions<Due, Outcome extends string>
  extends Pick<DueBatches<Due, Outcome>, "due" | "recheck" | "log"> {
  /** Whether a check waits for an external service. */
  isRemote: boolean;
  /** Returns how many links a new blocklist changed; undefined if there is no new one. */
  sweep(signal: AbortSignal): Promise<number | undefined>;
}

export function safetyChecks<Due, Outcome extends string>(options: SafetyChecksOptions<Due, Outcome>): PeriodicJob {
  return {
    name: "safety checks",
    everyMs: EVERY_MS,
    run: async (signal) => ({
      swept: await sweepOnce(options, signal),
      ...(await checkDue(batchesOf(options), signal)),
    }),
  };
}

const batchesOf = <Due, Outcome extends string>({
  due,
  recheck,
  log,
  isRemote,
}: SafetyChecksOptions<Due, Outcome>) => ({
  due,
  recheck,
  log,
  onFailure: "could not check a link's safety",
  bounds: isRemote ? BOUNDS : LOCAL_BOUNDS,
  // What fails for many links would fail for the next ones, too.
  isHopeless: ({ failed = 0, unanswered = 0 }: Record<string, number>) => failed + unanswered >= FAILURES_MAX,
});

/** Checks links against a new blocklist. If that fails, the next run tries again. */
async function sweepOnce<Due, Outcome extends string>(
  { sweep, log }: SafetyChecksOptions<Due, Outcome>,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await sweep(signal);
  } catch (error) {
    if (!signal.aborted) log.warn("could not check links against the new blocklist", { error });
    return undefined;
  }
}
