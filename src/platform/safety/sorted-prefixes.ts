/**
 * Sorts the prefixes of a blocklist and drops those that others cover. A list may hold a million of them, all on one
 * host, so they are sorted in runs, which are then merged in pairs, and others get a turn after every `TURN_WORK`.
 */

/** About a millisecond's work: merging one text counts 1. */
const TURN_WORK = 10_000;
/** Sorting one text of a run counts as much as merging this many. */
const SORT_WORK = 10;
const RUN_LENGTH = TURN_WORK / SORT_WORK;

/** Counts work, for all hosts together, and says when others must get a turn. */
export class Turns {
  #work = 0;

  isOver(work: number): boolean {
    this.#work += work;
    return this.#work >= TURN_WORK;
  }

  async next(): Promise<void> {
    this.#work = 0;
    await Bun.sleep(0);
  }
}

/** Returns the prefixes in order, without those that begin with another one. */
export async function sortedPrefixes(prefixes: readonly string[], turns: Turns): Promise<string[]> {
  const kept: string[] = [];
  for (const prefix of await sorted(prefixes, turns)) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
    if (turns.isOver(1)) await turns.next();
  }
  return kept;
}

async function sorted(texts: readonly string[], turns: Turns): Promise<string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += RUN_LENGTH) {
    const run = texts.slice(at, at + RUN_LENGTH).sort(byCode);
    runs.push(run);
    if (turns.isOver(run.length * SORT_WORK)) await turns.next();
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], turns));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged(one: readonly string[], other: readonly string[], turns: Turns): Promise<string[]> {
  const all: string[] = [];
  let [here, there] = [0, 0];
  while (all.length < one.length + other.length) {
    const [left, right] = [one[here], other[there]];
    const isLeft = right === undefined || (left !== undefined && left <= right);
    if (isLeft) here += 1;
    else there += 1;
    all.push((isLeft ? left : right) ?? "");
    if (turns.isOver(1)) await turns.next();
  }
  return all;
}

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
