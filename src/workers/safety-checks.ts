/**
 * Looks at links' safety from time to time. First, where the blocklist was replaced, at the links that the new one is about;
 * then at those never looked at in full and those whose last look is too long ago, a batch at a time. A run that is cut
 * short goes on with the next, since what was looked at is due no more. Bounds: `BATCH` links a query, `AT_ONCE` looks,
 * `RUN_MAX` links a run, `FAILURES_MAX` failures.
 */
import type { Log } from "@/platform/log";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 2 * 60_000;
const BATCH = 200;
const AT_ONCE = 8;
const RUN_MAX = 20_000;
/** After so many, a run leaves the rest to the next one. */
const FAILURES_MAX = 100;

export interface SafetyChecksOptions<Due, Outcome extends string> {
  /** How many links a new blocklist changed; undefined when there is none. */
  sweep(signal: AbortSignal): Promise<number | undefined>;
  due(limit: number): Promise<Due[]>;
  recheck(link: Due, signal: AbortSignal): Promise<Outcome>;
  log: Log;
}

export function safetyChecks<Due, Outcome extends string>(options: SafetyChecksOptions<Due, Outcome>): PeriodicJob {
  return {
    name: "safety checks",
    everyMs: EVERY_MS,
    run: async (signal) => ({ swept: await sweepOnce(options, signal), ...(await checkDue(options, signal)) }),
  };
}

/** One that fails is made again by the next run. */
async function sweepOnce<Due, Outcome extends string>(
  { sweep, log }: SafetyChecksOptions<Due, Outcome>,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await sweep(signal);
  } catch (error) {
    if (!signal.aborted) log.warn("links not held against the new blocklist", { error });
    return undefined;
  }
}

/** How many came to what. */
async function checkDue<Due, Outcome extends string>(
  { due, recheck, log }: SafetyChecksOptions<Due, Outcome>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const check = async (link: Due) => {
    try {
      count(await recheck(link, signal));
    } catch (error) {
      if (signal.aborted) return;
      count("failed");
      log.warn("link's safety not checked", { link, error });
    }
  };
  for (let checked = 0; checked < RUN_MAX && !signal.aborted; ) {
    const batch = await due(BATCH);
    await inTurns(batch, check, signal);
    checked += batch.length;
    // Fewer than asked for is the rest; what fails for many would fail for the next, too.
    const failures = (outcomes.failed ?? 0) + (outcomes.unanswered ?? 0);
    if (batch.length < BATCH || failures >= FAILURES_MAX) break;
  }
  return outcomes;
}

async function inTurns<Item>(items: Item[], work: (item: Item) => Promise<void>, signal: AbortSignal): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
