/**
 * Chooses which odd values each place is given. The same code reads all places of one kind, so the first place of a
 * kind is given every value, and each later one the next quarter in turn. Together the later ones see all values, and
 * no place goes without. `bun run fault every` gives every place every value.
 */
import type { Schema } from "@/http/document/types";

const SHARE = 4;
const share = Bun.env.TEST_EVERY_VALUE ? 1 : SHARE;

export type Deal = <Value>(kind: string, values: readonly Value[]) => Value[];

export function dealer(): Deal {
  const turns = new Map<string, number>();
  return (kind, values) => {
    const turn = turns.get(kind) ?? 0;
    turns.set(kind, turn + 1);
    return turn === 0 ? [...values] : values.filter((_, index) => index % share === turn % share);
  };
}

/** Returns what determines how a value is read there. Limits on length or size do not. */
export function kindOf({ type, format, pattern, anyOf, items }: Schema): string {
  const choices = (anyOf ?? []).map((branch) => (branch.const === undefined ? kindOf(branch) : "a word"));
  return JSON.stringify([type, format, pattern, [...new Set(choices)], items && kindOf(items)]);
}
