import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareLinks, LinkRanking, LinkSums, type RankedLink, sumOf } from "@/figures/read/links/link-ranking";

const anyLinks = fc.array(
  fc.record({
    linkId: fc.integer({ min: 0, max: 30 }).map((number) => `link-${number}`),
    clicks: fc.integer({ min: 0, max: 5 }),
    covered: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 40 },
);

function sumUp(links: readonly RankedLink[]): Map<string, RankedLink> {
  const sums = new Map<string, RankedLink>();
  for (const link of links) sums.set(link.linkId, sumOf(sums.get(link.linkId), link));
  return sums;
}

test("a ranking orders links by their total sums, with later clicks added, without changing the base sums", () => {
  fc.assert(
    fc.property(anyLinks, anyLinks, (before, since) => {
      const standing = new LinkSums(sumUp(before));
      const ranking = new LinkRanking(standing, 0);
      for (const { linkId, clicks, covered } of since) ranking.add(linkId, clicks, covered);
      const all = [...sumUp([...before, ...since]).values()];
      expect([...ranking.inOrder()]).toEqual(all.sort(compareLinks));
      expect([...new LinkRanking(standing, 0).inOrder()]).toEqual([...sumUp(before).values()].sort(compareLinks));
    }),
  );
});
