/** What is broken about a link, each fault separately, and what is not. */
import { describe, expect, test } from "bun:test";
import type { Link } from "@/contract/links/links";
import type { RuleConditions } from "@/contract/routing";
import { findBroken } from "@/core/insights/broken/broken";
import { type CheckState, healthOf, isDead, isInDoubt, nextState } from "@/core/insights/broken/destination-health";
import type { ExaminedLink, RefusedAddress } from "@/core/insights/broken/fault";
import type { LinkStop } from "@/core/insights/link-stops";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";

const NOW = Date.UTC(2026, 1, 16, 12);
const TODAY = Date.UTC(2026, 1, 16);
const URL = "https://example.com/";

const sound: Link = {
  ...{ _id: "l", orgId: "o", domainId: "d", slug: "spring", shortUrl: "https://wm.test/spring", defaultUrl: URL },
  ...{ rules: [], splitTargets: [], utm: { source: "newsletter" }, retargetingPixels: [], tags: [], clickCount: 0 },
  ...{ passwordProtected: false, isActive: true, isArchived: false, safety: { status: "safe", reasons: [] } },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
};
const dead: CheckState & { url: string } = {
  ...{ url: URL, status: "broken", httpStatus: 404, error: null, failures: 2 },
  ...{ failingSince: NOW - DAY_MS, checkedAt: NOW },
};
/** Counts of the days before today; `newest` gives the latest ones, newest first, and the others are ten. */
const days = (newest: number[] = [], length = 40) =>
  Array.from({ length }, (_, index) => ({
    at: TODAY - (length - index) * DAY_MS,
    count: newest[length - 1 - index] ?? 10,
  }));

interface Draft extends Partial<Omit<ExaminedLink, "link">> {
  link?: Partial<ExaminedLink["link"]>;
}
const RANGE = { from: NOW - 30 * DAY_MS, to: NOW, now: NOW };
const find = ({ link, ...given }: Draft) => {
  const own = { ...sound, isDeleted: false, ...link };
  return findBroken([{ clicks: 300, days: days(), checks: [], refused: [], admitted: 0, ...given, link: own }], RANGE);
};
const refused = (reason: string, count: number) => ({ refused: [{ reason, count, lastAt: NOW - HOUR_MS }] });
const UNVISITED = { clicks: 0, days: [] };
const typesOf = (draft: Draft) => find(draft).map(({ type, severity }) => `${type} ${severity}`);

describe("reported as broken is", () => {
  test.each<[string, Draft, string[]]>([
    ["nothing about a sound link", {}, []],
    ["nothing about a deleted one", { link: { isDeleted: true }, checks: [dead] }, []],
    ["a dead default destination", { checks: [dead] }, ["dead_destination high"]],
    [
      "a dead target among sound ones",
      { link: { splitTargets: [{ key: "a", destinationUrl: `${URL}a` }] }, checks: [{ ...dead, url: `${URL}a` }] },
      ["dead_destination medium"],
    ],
    [
      "nothing about a target that is switched off, or is given no visitors",
      {
        link: {
          splitTargets: [
            { key: "a", destinationUrl: `${URL}a` },
            { key: "b", destinationUrl: `${URL}b`, isActive: false },
            { key: "c", destinationUrl: `${URL}c`, weight: 0 },
          ],
        },
        checks: ["b", "c"].map((path) => ({ ...dead, url: URL + path })),
      },
      [],
    ],
    [
      "a dead default destination, as less severe if everyone gets a target in its place",
      { link: { splitTargets: [{ key: "a", destinationUrl: `${URL}a` }] }, checks: [dead] },
      ["dead_destination medium"],
    ],
    [
      "nothing about what comes after a rule for everyone",
      {
        link: {
          rules: [{ destinationUrl: `${URL}a` }, { destinationUrl: `${URL}b`, conditions: { platform: ["ios"] } }],
          splitTargets: [{ key: "c", destinationUrl: `${URL}c` }],
        },
        checks: ["b", "c"].map((path) => ({ ...dead, url: URL + path })),
      },
      ["unreachable_rule medium"],
    ],
    [
      "nothing about the button of a call to action that is switched off",
      { link: { ctaOverlay: { buttonUrl: `${URL}a` } }, checks: [{ ...dead, url: `${URL}a` }] },
      [],
    ],
    [
      "a dead button of a call to action",
      { link: { ctaOverlay: { enabled: true, buttonUrl: `${URL}a` } }, checks: [{ ...dead, url: `${URL}a` }] },
      ["dead_destination medium"],
    ],
    [
      "nothing about where visitors would go after an end that never comes",
      { link: { expiredUrl: `${URL}a` }, checks: [{ ...dead, url: `${URL}a` }] },
      [],
    ],
    [
      "where they will go after the last of the visits",
      { link: { expiredUrl: `${URL}a`, maxClicks: 500 }, checks: [{ ...dead, url: `${URL}a` }] },
      ["dead_destination medium"],
    ],
    [
      "nothing about the items of a bio page, which are no split",
      {
        link: {
          ...{ isBioPage: true, utm: undefined },
          splitTargets: ["a", "b"].map((key) => ({ key, destinationUrl: URL + key, weight: 0 })),
        },
      },
      [],
    ],
    [
      "a dead item of a bio page, unless it is hidden",
      {
        link: {
          isBioPage: true,
          splitTargets: ["a", "b", "c"].map((key) => ({
            ...{ key, destinationUrl: URL + key, weight: 0, isActive: key !== "b" },
          })),
        },
        checks: ["a", "b"].map((path) => ({ ...dead, url: URL + path })),
      },
      ["dead_destination medium"],
    ],
    ["nothing that failed once", { checks: [{ ...dead, failures: 1 }] }, []],
    ["nothing about a destination it has no longer", { checks: [{ ...dead, url: `${URL}former` }] }, []],
    [
      "an unsafe destination",
      { link: { safety: { status: "unsafe", reasons: ["blocklist: named"] } } },
      ["unsafe_destination high"],
    ],
    ["a suspicious one", { link: { safety: { status: "suspicious", reasons: [] } } }, ["unsafe_destination medium"]],
    [
      "a link that expired and is still clicked",
      { link: { expiresAt: "2026-02-10T00:00:00.000Z" }, ...refused("expired", 70) },
      ["expired_link high"],
    ],
    [
      "nothing about one that sends its visitors on",
      { link: { expiresAt: "2026-02-10T00:00:00.000Z", expiredUrl: URL }, ...refused("expired", 70) },
      [],
    ],
    [
      "one that sends its visitors on to a dead page",
      { link: { expiresAt: "2026-02-10T00:00:00.000Z", expiredUrl: URL }, checks: [dead], ...refused("expired", 70) },
      ["dead_destination high"],
    ],
    [
      "not one whose other destination is dead, which it no longer has",
      {
        link: { expiresAt: "2026-02-10T00:00:00.000Z", expiredUrl: `${URL}over` },
        ...{ checks: [dead], ...refused("expired", 70) },
      },
      [],
    ],
    [
      "whose window is over, by few",
      {
        link: { startsAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-02-10T00:00:00.000Z" },
        ...refused("expired", 9),
      },
      ["schedule_over medium"],
    ],
    [
      "nothing that ended as planned, however much it was visited before",
      { link: { expiresAt: "2026-02-10T00:00:00.000Z" } },
      [],
    ],
    [
      "nothing that turned visitors away before it was extended",
      { link: { expiresAt: "2026-03-10T00:00:00.000Z" }, ...refused("expired", 70) },
      [],
    ],
    ["nothing that expires tomorrow", { link: { expiresAt: "2026-02-17T00:00:00.000Z" } }, []],
    [
      "one switched off, and nothing else about it",
      { link: { isActive: false }, checks: [dead], ...refused("inactive", 30) },
      ["inactive_link medium"],
    ],
    ["nothing that was switched off and is missed by nobody", { link: { isActive: false }, checks: [dead] }, []],
    [
      "a link that is clicked before it starts",
      { link: { startsAt: "2026-03-01T00:00:00.000Z" }, ...refused("not_started", 5) },
      ["not_started low"],
    ],
    [
      "one that is used up and still wanted",
      { link: { maxClicks: 100 }, admitted: 100, ...refused("max_clicks_reached", 40) },
      ["used_up medium"],
    ],
    ["nothing that is used up as planned", { link: { maxClicks: 100 }, admitted: 100 }, []],
    ["three days without a visitor", { days: days([0, 0, 0]) }, ["traffic_collapse high"]],
    ["three days with hardly any", { days: days([2, 1, 2]) }, ["traffic_collapse medium"]],
    ["not two such days", { days: days([0, 0, 10]) }, []],
    [
      "not the quiet end of few",
      { days: days([0, 0, 0], 40).map((day) => ({ ...day, count: Math.min(day.count, 2) })) },
      [],
    ],
    ["not a link younger than three weeks", { days: days([0, 0, 0], 15) }, []],
    [
      "a split nobody is in",
      {
        link: {
          splitTargets: [
            { key: "a", destinationUrl: URL, isActive: false },
            { key: "b", destinationUrl: URL, weight: 0 },
          ],
        },
      },
      ["split_without_targets medium"],
    ],
    [
      "a rule nobody gets to",
      { link: { rules: [{ destinationUrl: URL }, { destinationUrl: URL }] } },
      ["unreachable_rule medium"],
    ],
    ["no UTM", { link: { utm: undefined } }, ["missing_utm low"]],
    ["a dead destination before anybody came", { ...UNVISITED, checks: [dead] }, ["dead_destination medium"]],
    [
      "a split and a rule before anybody came",
      {
        ...UNVISITED,
        link: {
          splitTargets: [{ key: "a", destinationUrl: URL, isActive: false }],
          rules: [{ destinationUrl: URL }, { destinationUrl: URL }],
        },
      },
      ["split_without_targets low", "unreachable_rule low"],
    ],
    [
      "an end before the beginning",
      { ...UNVISITED, link: { createdAt: "2026-02-01T00:00:00.000Z", expiresAt: "2025-12-31T00:00:00.000Z" } },
      ["never_open medium"],
    ],
    [
      "nothing of the kind about what was brought along from elsewhere long ago",
      { ...UNVISITED, link: { expiresAt: "2025-12-31T00:00:00.000Z" } },
      [],
    ],
    ["no UTM where nobody came", { ...UNVISITED, link: { utm: {} } }, []],
    ["not where few visit", { link: { utm: {} }, clicks: 19 }, []],
    ["not where the destination names its campaign", { link: { utm: {}, defaultUrl: `${URL}?a=b&utm_source=x` } }, []],
  ])("%s", (_, draft, expected) => expect(typesOf(draft)).toEqual(expected));

  test("each fault by the name of its link, with evidence, the most severe first", () => {
    const found = find({ link: { utm: {}, title: "Spring sale" }, checks: [dead] });
    expect(found.map(({ id }) => id)).toEqual(["dead_destination:l", "missing_utm:l"]);
    expect(found[0]).toMatchObject({
      linkId: "l",
      title: "`Spring sale` leads to a dead page",
      evidence: [
        "https://example.com/: HTTP 404, 2 failed checks in a row, at least an hour apart, since 2026-02-15T12:00:00.000Z",
        "300 clicks in the range, 10 a day over the last 7 whole days",
      ],
    });
  });

  test("a dead item by the name of its bio page", () => {
    const items = [{ key: "a", destinationUrl: URL, weight: 0 }];
    const [found] = find({ link: { isBioPage: true, title: "Acme", splitTargets: items }, checks: [dead] });
    expect(found).toMatchObject({
      title: "An item of `Acme` leads to a dead page",
      recommendation: "Fix the page, or change where the item leads.",
    });
  });

  test("each unreachable rule with the reason", () => {
    const conditions: RuleConditions[] = [
      { minOsVersion: "17.1", maxOsVersion: "17" },
      { after: "2026-03-01T00:00:00.000Z", before: "2026-02-01T00:00:00.000Z" },
      { minOsVersion: "17.1", maxOsVersion: "17", after: "2026-03-01", before: "2026-03-01" },
      { platform: ["ios"] },
      { platform: ["ios"], countries: ["DE"] },
      {},
      { platform: ["android"] },
    ];
    // The first one is evaluated third.
    const priorities = [2, 1, 1, 3, 3, 3, 3];
    const rules = conditions.map((each, at) => ({
      ...{ destinationUrl: URL, conditions: each, priority: priorities[at] },
    }));
    expect(find({ link: { rules } })[0]?.evidence.slice(0, -1)).toEqual([
      "Rule 1 applies only from 2026-03-01T00:00:00.000Z on and only before 2026-02-01T00:00:00.000Z",
      "Rule 2 requires an OS version of at least 17.1 and at most 17",
      "Rule 2 applies only from 2026-03-01 on and only before 2026-03-01",
      "Rule 3 requires an OS version of at least 17.1 and at most 17",
      "Rule 5 comes after rule 4, which already applies to everyone this rule matches",
      "Rule 7 comes after rule 6, which applies to everyone",
    ]);
  });

  test("a fault of the same severity by its cost per day", () => {
    const own = { isDeleted: false, ...sound, expiresAt: "2026-02-06T12:00:00.000Z" };
    const common = { clicks: 0, days: days(), checks: [] };
    const links = [200, 900, 500].map((count) => ({
      ...{ ...common, link: { ...own, _id: `l${count}` } },
      ...refused("expired", count),
      admitted: 0,
    }));
    const found = findBroken(links, RANGE);
    expect(found.map(({ linkId }) => linkId)).toEqual(["l900", "l500", "l200"]);
    expect(found[0]).toMatchObject({
      title: "`spring` has expired, but people still click it",
      summary: "It turned away 900 visits, about 90 a day.",
      evidence: [
        "Returns 410 since 2026-02-06T12:00:00.000Z",
        "900 visits turned away in 10 days of the range, the last one on 2026-02-16 (without bots)",
      ],
    });
  });
});

describe("visits turned away are averaged over the time in which the link was out of use", () => {
  const ago = (days: number) => NOW - days * DAY_MS;
  const stop = (kind: LinkStop["kind"], from: number, to = Number.POSITIVE_INFINITY) => ({ kind, from, to });
  const since = [stop("paused", ago(20), ago(19)), stop("paused", ago(1))];

  test.each<[string, Draft, string]>([
    ["when it was paused", { link: { isActive: false }, stops: since, ...refused("inactive", 80) }, "40 2 days"],
    [
      "since its last visit was used up",
      { link: { maxClicks: 25 }, admitted: 25, stops: [stop("used_up", ago(2))], ...refused("max_clicks_reached", 80) },
      "40 2 days",
    ],
    [
      "until it starts",
      {
        link: { startsAt: "2026-03-01T00:00:00.000Z" },
        stops: [stop("not_started", ago(4), NOW + DAY_MS)],
        ...refused("not_started", 80),
      },
      "20 4 days",
    ],
    ["or a day, if that was shorter", { link: { isActive: false }, stops: [stop("paused", ago(0.2))] }, "80 1 day"],
    ["or the range, if it is not known", { link: { isActive: false } }, "2.7 30 days"],
  ])("%s", (_, draft, said) => {
    const [found] = find({ ...refused("inactive", 80), ...draft });
    const [perDay, ...days] = said.split(" ");
    expect(found?.severity).toBe(Number(perDay) >= 10 ? "high" : "medium");
    expect(found?.evidence.join()).toContain(`80 visits turned away in ${days.join(" ")} of the range`);
    if (found?.type === "inactive_link") expect(found.summary).toContain(`80 visits, about ${perDay} a day`);
  });

  test("and a day that is a little longer is one day", () => {
    const [found] = find({
      link: { isActive: false },
      stops: [stop("paused", ago(1.001))],
      ...refused("inactive", 80),
    });
    expect(found?.evidence.join()).toContain("turned away in 1 day of the range");
  });
});

describe("an address without a link", () => {
  const at = (address: string, count: number): RefusedAddress => ({ address, count, lastAt: NOW });
  const typesAt = (address: string, count = 60) =>
    findBroken([], RANGE, [at(address, count)]).map(({ id, severity, linkId }) => [id, severity, linkId]);

  test("that people request is reported", () => {
    expect(typesAt("go.example.com/sprnig")).toEqual([["unknown_address:go.example.com/sprnig", "medium", null]]);
  });

  test.each(["go.example.com/", "go.example.com/wp-login.php", "go.example.com/.env", "go.example.com/apple-icon.png"])(
    "%s is not reported, since programs request it",
    (address) => expect(typesAt(address)).toEqual([]),
  );

  test("with few requests is not reported", () => expect(typesAt("go.example.com/sprnig", 19)).toEqual([]));
});

describe("an answer", () => {
  test.each([
    [200, "ok"],
    [304, "ok"],
    [400, "ok"],
    [401, "ok"],
    [403, "ok"],
    [404, "broken"],
    [405, "ok"],
    [410, "broken"],
    [429, "ok"],
    [500, "broken"],
    [599, "broken"],
  ])("of %i is %s", (status, health) => expect(healthOf(status)).toBe(health as "ok"));

  const failed = { status: "broken", httpStatus: 404, error: null } as const;
  const well = { status: "ok", httpStatus: 200, error: null } as const;
  const first = nextState(undefined, failed, NOW);

  test("that fails makes the URL doubtful, and dead if it still fails after an hour", () => {
    expect([isInDoubt(first), isDead(first), first.failingSince]).toEqual([true, false, NOW]);
    const soon = nextState(first, failed, NOW + HOUR_MS - 1);
    expect([isInDoubt(soon), isDead(soon), soon.failures]).toEqual([true, false, 1]);
    const later = nextState(soon, failed, NOW + HOUR_MS);
    expect([isInDoubt(later), isDead(later), later.failingSince]).toEqual([false, true, NOW]);
  });

  test("that succeeds in between resets the failures", () => {
    const between = nextState(first, well, NOW + HOUR_MS);
    expect(between).toEqual({ ...well, failingSince: null, failures: 0, checkedAt: NOW + HOUR_MS });
    expect(isDead(nextState(between, failed, NOW + 2 * HOUR_MS))).toBe(false);
  });
});
