/**
 * Looks at links' safety from time to time. First, where the blocklist was replaced, at the links that the new one is about;
 * then at those never looked at in full and those whose last look is too long ago, a batch at a time.
 */
import { checkDue, type DueBatches } from "./due-batches";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 2 * 60_000;
const BOUNDS = { batch: 200, concurrency: 8, runMax: 20_000 };
/**
 * Where nobody outside is asked: eight at once would take a core from requests, and a run ends within a minute, so that other
 * periodic work need not wait. That is still 25 million links in a week.
 */
const LOCAL_BOUNDS = { batch: 200, concurrency: 1, runMax: 5_000 };
/** After so many, a run leaves the rest to the next one. */
const FAILURES_MAX = 100;

export interface SafetyChecksOptions<Due, Outcome extends string>
  extends Pick<DueBatches<Due, Outcome>, "due" | "recheck" | "log"> {
  /** Whether a look waits for somebody outside. */
  isRemote: boolean;
  /** How many links a new blocklist changed; undefined when there is none. */
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
  // What fails for many would fail for the next, too.
  isHopeless: ({ failed = 0, unanswered = 0 }: Record<string, number>) => failed + unanswered >= FAILURES_MAX,
});

/** One that fails is made again by the next run. */
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
