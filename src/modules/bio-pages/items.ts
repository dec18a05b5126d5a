/**
 * Which item of a new list is which of the old one. Clicks are counted by an item's key, so an item that goes on keeps it:
 * the one that brings the key, else the first that leads where a former one led.
 */
import type { BioItem } from "@/contract/links/bio-pages";
import type { SplitTarget } from "@/contract/routing";
import type { AskedItem } from "./validate";

/** `makeKey` draws from so many that two of a page are hardly ever the same; it is asked again when they are. */
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

/** Of weight 0, so that no split chooses them: only who asks for an item gets there. */
export const targetsOf = (items: readonly BioItem[]): SplitTarget[] =>
  items.flatMap(({ key, title, url, isActive }) =>
    url === undefined ? [] : [{ key, label: title, destinationUrl: url, weight: 0, isActive }],
  );
