/**
 * Ranks links by clicks, the most clicked first. It combines sums that no longer change and are already in order with
 * the links that got more clicks since. So a ranking costs as much as is read of it, however many links there are.
 */

export interface RankedLink {
  linkId: string;
  /** The clicks in the parts where the link is a leader. */
  clicks: number;
  /**
   * The share of `rest` of the parts where the link is a leader. In the others it has at most `rest` without this
   * share.
   */
  covered: number;
}

export class LinkSums {
  readonly #links: Map<string, RankedLink>;
  /** The most clicked first. */
  readonly inOrder: readonly RankedLink[];

  /** `links` must not change afterwards. */
  constructor(links: Map<string, RankedLink>) {
    this.#links = links;
    this.inOrder = [...links.values()].sort(compareLinks);
  }

  find(linkId: string): RankedLink | undefined {
    return this.#links.get(linkId);
  }
}

export class LinkRanking {
  /** The most clicks that any link can have in the parts where it is not a leader. */
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

  /** Yields the most clicked link first, newer links first among equals. */
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
