/**
 * Processes due items, a batch at a time. A checked item is no longer due, so a run that is cut short continues with
 * the next one.
 */
import type { Log } from "@/platform/telemetry/log";

export interface DueBatches<Due, Outcome extends string> {
  /** Returns the due items, the longest due first. */
  due(limit: number): Promise<Due[]>;
  recheck(item: Due, signal: AbortSignal): Promise<Outcome>;
  log: Log;
  /** The log message for an item that failed. */
  onFailure: string;
  bounds: { batch: number; concurrency: number; runMax: number };
  /** Whether the outcomes of the first `checked` items leave no hope for the next batch. */
  isHopeless(outcomes: Record<string, number>, checked: number): boolean;
}

/** Returns the number of items by outcome; those whose check rejected count as `failed`. */
export async function checkDue<Due, Outcome extends string>(
  { due, recheck, log, onFailure, bounds, isHopeless }: DueBatches<Due, Outcome>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const check = async (item: Due) => {
    try {
      count(await recheck(item, signal));
    } catch (error) {
      if (signal.aborted) return;
      count("failed");
      log.warn(onFailure, { item, error });
    }
  };
  for (let checked = 0; checked < bounds.runMax && !signal.aborted; ) {
    const batch = await due(bounds.batch);
    await forEachOf(batch, bounds.concurrency, check, signal);
    checked += batch.length;
    // A batch that is not full is the last.
    if (batch.length < bounds.batch || isHopeless(outcomes, checked)) break;
  }
  return outcomes;
}

async function forEachOf<Item>(
  items: Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
