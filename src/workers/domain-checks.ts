/**
 * Looks verified domains up again once a day, each when its own day is over, so that they spread. A run takes what is due,
 * longest ago first, a batch at a time; one that is cut short goes on with the next run, since what was looked at is due
 * no more. Bounds: `BATCH` domains a query, `AT_ONCE` look-ups, `RUN_MAX` domains a run.
 */
import type { Log } from "@/platform/log";
import type { PeriodicJob } from "./periodic";

const EVERY_MS = 10 * 60_000;
const BATCH = 100;
const AT_ONCE = 10;
const RUN_MAX = 5_000;

export interface DomainChecksOptions<Due, Outcome extends string> {
  due(limit: number): Promise<Due[]>;
  recheck(domain: Due): Promise<Outcome>;
  log: Log;
}

export function domainChecks<Due, Outcome extends string>(options: DomainChecksOptions<Due, Outcome>): PeriodicJob {
  return { name: "domain checks", everyMs: EVERY_MS, run: (signal) => checkDue(options, signal) };
}

/** How many came to what. */
async function checkDue<Due, Outcome extends string>(
  { due, recheck, log }: DomainChecksOptions<Due, Outcome>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const check = async (domain: Due) => {
    try {
      count(await recheck(domain));
    } catch (error) {
      count("failed");
      log.warn("domain not checked", { domain, error });
    }
  };
  for (let checked = 0; checked < RUN_MAX && !signal.aborted; ) {
    const batch = await due(BATCH);
    await inTurns(batch, check, signal);
    checked += batch.length;
    // Fewer than asked for is the rest; where a whole run comes to nothing, so would the next batch.
    if (batch.length < BATCH || outcomes.failed === checked) break;
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
