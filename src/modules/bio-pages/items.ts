/**
 * Matches the items of a new list with those of the old one. Clicks are counted by an item's key, so an item that
 * stays keeps its key: the item that sends the key, else the first one with the same destination.
 */
import type { BioItem } from "@/contract/links/bio-pages";
import type { SplitTarget } from "@/contract/routing";
import type { AskedItem } from "./validate";

/** `makeKey` draws from so many keys that two on a page are hardly ever equal; if they are, it is called again. */
export function keyedItems(asked: readonly AskedItem[], before: readonly BioItem[], makeKey: () => string): BioItem[] {
  const known = new Set(before.map(({ key }) => key));
  const brought = asked.map(({ key }) => (key !== undefined && known.has(key) ? key : undefined));
  const taken = new Set(brought);
  return asked.map((item, index) => {
    const key = brought[index] ?? sameOf(item, before, taken)?.key ?? newKey(known, taken, makeKey);
    taken.add(key);
    return { ...item, key };
  });
}

const sameOf = ({ url, linkId }: AskedItem, before: readonly BioItem[], taken: ReadonlySet<string | undefined>) =>
  before.find((item) => item.url === url && item.linkId === linkId && !taken.has(item.key));

function newKey(known: ReadonlySet<string>, taken: ReadonlySet<string | undefined>, makeKey: () => string): string {
  for (;;) {
    const key = makeKey();
    if (!known.has(key) && !taken.has(key)) return key;
  }
}

/** The targets have weight 0, so that no split picks them: only a visitor who chooses the item is sent there. */
export const targetsOf = (items: readonly BioItem[]): SplitTarget[] =>
  items.flatMap(({ key, title, url, isActive }) =>
    url === undefined ? [] : [{ key, label: title, destinationUrl: url, weight: 0, isActive }],
  );
