import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { UNSERVED_REASONS, UNSERVED_STATUS } from "@/contract/analytics/unserved";
import { HOUR_MS } from "@/core/time/time-range";
import { REFUSALS } from "@/edge/refusals";
import { shownPath, UnservedCounts, type UnservedVisit } from "@/platform/unserved/counts";

const AT = Date.UTC(2026, 5, 1, 12, 30);
const visit = (facts: Partial<UnservedVisit>): UnservedVisit => ({
  ...{ orgId: "acme", domainId: "go", reason: "unknown", isBot: false, at: AT },
  ...facts,
});
const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

test("exactly the refusals of visits are listed here, each with its status", () => {
  const ofVisits = Object.entries(REFUSALS).filter(([, { status }]) => [403, 404, 410, 429].includes(status));
  expect(Object.fromEntries(ofVisits.map(([reason, { status }]) => [reason, status]))).toEqual(UNSERVED_STATUS);
  expect<string[]>([...UNSERVED_REASONS].sort()).toEqual(Object.keys(UNSERVED_STATUS).sort());
});

describe("counts", () => {
  test("are separate by organization, domain, hour, and bot or person", () => {
    const counts = new UnservedCounts();
    for (const facts of [{}, { isBot: true }, { orgId: "other" }, { domainId: "get" }, { at: AT + HOUR_MS }]) {
      counts.add(visit({ address: "/a", ...facts }));
      counts.add(visit({ address: "/a", ...facts }));
    }
    const groups = counts.due();
    expect(groups.map(({ hour }) => hour % HOUR_MS)).toEqual([0, 0, 0, 0, 0]);
    expect(groups.map((group) => group.counts())).toEqual(
      Array.from({ length: 5 }, () => [{ reason: "unknown", address: "/a", count: 2 }]),
    );
  });

  test("keep their sum, the frequent paths and all links in a flood of made-up paths", () => {
    const visits = fc.array(fc.nat({ max: 3 }), { minLength: 2_000, maxLength: 4_000 });
    fc.assert(
      fc.property(visits, (kinds) => {
        const counts = new UnservedCounts();
        kinds.forEach((kind, index) => {
          if (kind === 0) counts.add(visit({ address: "/frequent" }));
          else if (kind === 1 && index % 10 === 0)
            counts.add(visit({ linkId: `link-${index % 7}`, reason: "expired" }));
          else counts.add(visit({ address: `/random-${index}` }));
        });
        const [group] = counts.due();
        const told = group?.counts() ?? [];
        const frequent = told.find(({ address }) => address === "/frequent")?.count ?? 0;
        expect(sum(told)).toBe(kinds.length);
        expect(told.length).toBeLessThanOrEqual(303);
        expect(frequent).toBeGreaterThan(0.9 * kinds.filter((kind) => kind === 0).length);
        const ofLinks = kinds.filter((kind, index) => kind === 1 && index % 10 === 0).length;
        expect(sum(told.filter(({ linkId }) => linkId !== undefined))).toBe(ofLinks);
      }),
      { numRuns: 10, seed: 7 },
    );
  });

  test("are due again after each visit, and removed once they are written and their hour is over", () => {
    const counts = new UnservedCounts();
    counts.add(visit({ address: "/a" }));
    for (const group of counts.due()) group.written = group.changes;
    expect(counts.due()).toEqual([]);
    counts.forget(AT);
    counts.add(visit({ address: "/a" }));
    expect(counts.due().map((group) => sum(group.counts()))).toEqual([2]);
    counts.forget(AT + HOUR_MS);
    expect(counts.due()).toHaveLength(1);
    for (const group of counts.due()) group.written = group.changes;
    counts.forget(AT + HOUR_MS);
    counts.add(visit({ address: "/a" }));
    expect(counts.due().map((group) => sum(group.counts()))).toEqual([1]);
  });

  test("of domains beyond the limit are dropped, and the number of dropped visits is known", () => {
    const counts = new UnservedCounts();
    for (let index = 0; index < 5_010; index++) counts.add(visit({ domainId: `domain-${index}` }));
    expect([counts.due().length, counts.dropped]).toEqual([5_000, 10]);
  });
});

describe("a path", () => {
  test.each([
    ["/spring", "/spring"],
    [`/${"a".repeat(500)}`, `/${"a".repeat(199)}`],
    ["/a\u0000b\u001b[31m\r\n\u202ec", "/a\ufffdb\ufffd[31m\ufffd\ufffd\ufffdc"],
    [`/${"a".repeat(198)}🦊`, `/${"a".repeat(198)}\ufffd`],
    ["/ärger/🦊", "/ärger/🦊"],
  ])("%j is kept as %j", (written, kept) => {
    expect(shownPath(written)).toBe(kept);
  });
});
