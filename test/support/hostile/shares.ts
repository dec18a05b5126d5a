/**
 * Which of the odd values each place is given. Places of one kind are read by the same code: the first of a kind is given
 * every value, and each one after it a share, the next one in turn, so that several of a kind see all values between them
 * and no place goes without. `bun run fault every` gives every place every value.
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

/** What decides how a value is read there; how much of it there may be does not. */
export function kindOf({ type, format, pattern, anyOf, items }: Schema): string {
  const choices = (anyOf ?? []).map((branch) => (branch.const === undefined ? kindOf(branch) : "a word"));
  return JSON.stringify([type, format, pattern, [...new Set(choices)], items && kindOf(items)]);
}
