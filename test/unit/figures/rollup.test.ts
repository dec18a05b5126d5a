import { describe, expect, test } from "bun:test";
import type { VisitFacts } from "@/figures/dimensions";
import { BatchValues } from "@/figures/write/batch-values";
import { type CountedVisit, namedCounts, rollUp, type VisitGroup } from "@/figures/write/rollup";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { keyOfNumber } from "@/platform/visitor";

const HOUR_MS = 3_600_000;
const [ORG, OTHER_ORG] = ["0193a1b2-0000-7000-8000-0000000000aa", "0193a1b2-0000-7000-8000-0000000000bb"];
const [LINK, OTHER_LINK] = ["0193a1b2-0000-7000-8000-000000000001", "0193a1b2-0000-7000-8000-000000000002"];

type Changes = Partial<Omit<CountedVisit, "record" | "known">> &
  Partial<CountedVisit["record"]> & { place?: VisitFacts["place"] };

function visit(
  time: string,
  { kind = "click", orgId = ORG, linkId = LINK, place = { country: "AT" }, ...changes }: Changes = {},
): CountedVisit {
  const at = Date.parse(time);
  return {
    record: { kind, at, orgId, linkId },
    hour: at - (at % HOUR_MS),
    visitor: keyOfNumber(1n),
    isBot: false,
    platform: "ios",
    known: {
      facts: { record: {}, platform: "ios", agent: { browser: "Mobile Safari" }, place, language: "de", referrer: "" },
    },
    ...changes,
  };
}

const named = (groups: readonly VisitGroup[]) =>
  groups.map(({ orgId, linkId, start, people }) => [
    orgId === ORG ? "org" : "other org",
    { [WHOLE_ORGANIZATION]: "whole", [LINK]: "link", [OTHER_LINK]: "other link" }[linkId],
    new Date(start).toISOString().slice(0, 16),
    people.clicks,
  ]);

describe("visits are summed up", () => {
  const visits = [
    visit("2026-11-21T23:59:59.999Z", { linkId: OTHER_LINK }),
    visit("2026-11-22T00:00:00Z", { linkId: OTHER_LINK }),
    visit("2026-11-21T10:59:00Z", { orgId: OTHER_ORG }),
    visit("2026-11-21T11:00:00Z"),
    visit("2026-11-21T10:10:00Z"),
    visit("2026-11-21T10:20:00Z", { linkId: OTHER_LINK }),
    visit("2026-11-21T10:30:00Z"),
  ];

  test("by hour, per link and per organization, in a fixed order", () => {
    expect(named(rollUp(visits).hours)).toEqual([
      ["org", "whole", "2026-11-21T10:00", 3],
      ["org", "whole", "2026-11-21T11:00", 1],
      ["org", "whole", "2026-11-21T23:00", 1],
      ["org", "whole", "2026-11-22T00:00", 1],
      ["org", "link", "2026-11-21T10:00", 2],
      ["org", "link", "2026-11-21T11:00", 1],
      ["org", "other link", "2026-11-21T10:00", 1],
      ["org", "other link", "2026-11-21T23:00", 1],
      ["org", "other link", "2026-11-22T00:00", 1],
      ["other org", "whole", "2026-11-21T10:00", 1],
      ["other org", "link", "2026-11-21T10:00", 1],
    ]);
  });

  test("by UTC day in the same way", () => {
    expect(named(rollUp(visits).days)).toEqual([
      ["org", "whole", "2026-11-21T00:00", 5],
      ["org", "whole", "2026-11-22T00:00", 1],
      ["org", "link", "2026-11-21T00:00", 3],
      ["org", "other link", "2026-11-21T00:00", 2],
      ["org", "other link", "2026-11-22T00:00", 1],
      ["other org", "whole", "2026-11-21T00:00", 1],
      ["other org", "link", "2026-11-21T00:00", 1],
    ]);
  });

  test("to the same result in whatever order they arrive", () => {
    const { linkHours, hours, days } = rollUp(visits.toReversed());
    expect([named(linkHours), named(hours), named(days)]).toEqual(
      [rollUp(visits).linkHours, rollUp(visits).hours, rollUp(visits).days].map(named),
    );
  });

  test("to nothing when there are none", () => {
    expect(rollUp([])).toEqual({ values: new BatchValues(), linkHours: [], hours: [], days: [] });
  });
});

describe("a day of an organization", () => {
  test("combines the values of all its hours and links, separately per metric", () => {
    const { values, days } = rollUp([
      visit("2026-11-21T10:00:00Z"),
      visit("2026-11-21T12:00:00Z", { place: { country: "DE" }, linkId: OTHER_LINK }),
      visit("2026-11-21T12:30:00Z", { place: {}, visitor: keyOfNumber(2n) }),
      visit("2026-11-21T13:00:00Z", { isBot: true, visitor: keyOfNumber(3n) }),
      visit("2026-11-21T14:00:00Z", { kind: "open", visitor: keyOfNumber(4n) }),
      visit("2026-11-21T15:00:00Z", {
        kind: "open",
        openSource: "deferred",
        platform: "android",
        visitor: keyOfNumber(4n),
      }),
      visit("2026-11-21T15:00:00Z", { kind: "open", isBot: true, visitor: keyOfNumber(4n) }),
    ]);
    const [whole] = days;
    expect(whole?.linkId).toBe(WHOLE_ORGANIZATION);
    const counts = whole ? namedCounts(whole, values) : {};
    expect(Object.keys(counts).sort()).toEqual(["bot_clicks", "bot_opens", "clicks", "opens"]);
    expect(counts.clicks?.country).toEqual(
      new Map([
        ["AT", 1],
        ["DE", 1],
        ["", 1],
      ]),
    );
    expect(counts.opens).toEqual({
      total: new Map([["", 2]]),
      platform: new Map([
        ["ios", 1],
        ["android", 1],
      ]),
      source: new Map([
        ["direct", 1],
        ["deferred", 1],
      ]),
    });
    expect([whole?.people.visitors.toSorted(), whole?.bots.visitors, whole?.lastClickAt]).toEqual([
      BigUint64Array.of(1n, 1n, 2n),
      BigUint64Array.of(3n),
      Date.parse("2026-11-21T12:30:00Z"),
    ]);
  });

  test("does not change its hours", () => {
    const { values, linkHours } = rollUp([visit("2026-11-21T10:00:00Z"), visit("2026-11-21T11:00:00Z")]);
    expect(
      linkHours.map((hour) => [namedCounts(hour, values).clicks?.country?.get("AT"), hour.people.visitors]),
    ).toEqual([
      [1, BigUint64Array.of(1n)],
      [1, BigUint64Array.of(1n)],
    ]);
  });
});
