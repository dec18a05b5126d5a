/**
 * Links by their clicks, the most first: sums that stand, which are in order already, and those of them that got more since.
 * So a ranking costs as much as is looked at of it, not as there are links.
 */

export interface RankedLink {
  linkId: string;
  /** Of the parts whose leader it is. */
  clicks: number;
  /** What it may have in the others at most is the whole rest without this. */
  covered: number;
}

export class LinkSums {
  readonly #links: Map<string, RankedLink>;
  /** The most clicked first. */
  readonly inOrder: readonly RankedLink[];

  /** `links` may not change afterwards. */
  constructor(links: Map<string, RankedLink>) {
    this.#links = links;
    this.inOrder = [...links.values()].sort(compareLinks);
  }

  find(linkId: string): RankedLink | undefined {
    return this.#links.get(linkId);
  }
}

export class LinkRanking {
  /** No link that is left out has more in the parts whose leader it is not. */
  rest: number;
  readonly #standing: LinkSums;
  readonly #changed = new Map<string, RankedLink>();

  constructor(standing: LinkSums, rest: number) {
    this.#standing = standing;
    this.rest = rest;
  }

  add(linkId: string, clicks: number, covered = 0): void {
    const known = this.#changed.get(linkId) ?? this.#standing.find(linkId);
    this.#changed.set(linkId, sumOf(known, { linkId, clicks, covered }));
  }

  /** The most clicked first, newer links first among equals. */
  *inOrder(): Generator<RankedLink> {
    const changed = [...this.#changed.values()].sort(compareLinks);
    let next = 0;
    for (const link of this.#standing.inOrder) {
      if (this.#changed.has(link.linkId)) continue;
      for (; next < changed.length; next++) {
        const other = changed[next];
        if (!other || compareLinks(link, other) < 0) break;
        yield other;
      }
      yield link;
    }
    yield* changed.slice(next);
  }
}

export const sumOf = (known: RankedLink | undefined, { linkId, clicks, covered }: RankedLink): RankedLink => ({
  linkId,
  clicks: clicks + (known?.clicks ?? 0),
  covered: covered + (known?.covered ?? 0),
});

export const compareLinks = (a: RankedLink, b: RankedLink): number =>
  b.clicks - a.clicks || (a.linkId < b.linkId ? 1 : -1);
