/** Measures only the routing, in nanoseconds: compiled rules, split and destination. */
import { compileLink, finalDestination } from "@/core/routing/compiled-link";
import { UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "@/core/routing/facts";
import type { LinkDefinition } from "@/core/routing/link";
import { agentMarks, languageMarks, placeMarks } from "@/core/rules/marks";
import { median } from "./rounds";

const TURNS = 200_000;
const ROUNDS = 9;

const FACTS: VisitorFacts = {
  ...UNKNOWN_VISITOR_FACTS,
  platform: "android",
  deviceType: "mobile",
  browser: "Chrome",
  osVersion: "14",
  languages: ["de-DE", "de"],
  country: "DE",
  region: "Berlin",
  city: "Berlin",
  minuteOfDay: 600,
  dayOfWeek: 2,
  at: Date.UTC(2026, 5, 2, 10),
  query: "",
  referrer: "news.example.com",
  networks: new Set(),
};
/** As for a visit, which knows them from its agent, its place and its languages. */
const MARKS = { agent: agentMarks(FACTS), place: placeMarks(FACTS), languages: languageMarks(FACTS.languages) };

const definition = (over: Partial<LinkDefinition>): LinkDefinition => ({
  id: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e",
  number: 1,
  version: 1,
  orgVersion: 1,
  orgId: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0f",
  title: null,
  shortUrl: "https://go.example.com/x",
  defaultUrl: "https://example.com/landing",
  rules: [],
  splitTargets: [],
  deepLinkPayload: null,
  utm: { source: "bench", campaign: "rules" },
  marketing: null,
  app: null,
  expiredUrl: null,
  appendClickId: false,
  page: null,
  social: null,
  gate: {
    isActive: true,
    isDomainVerified: true,
    isUnsafe: false,
    startsAt: null,
    expiresAt: null,
    maxClicks: null,
    passwordHash: null,
  },
  ...over,
});

const threeRules = [
  { destinationUrl: "https://example.com/nz", conditions: { countries: ["NZ"], cities: ["Wellington"] } },
  { destinationUrl: "https://example.com/ios", conditions: { platform: ["ios" as const], maxOsVersion: "12" } },
  { destinationUrl: "https://example.com/fr", conditions: { languages: ["fr"], deviceTypes: ["mobile"] } },
];
/** Each condition that there is, in four rules that name other values: 20 rules, of which this visitor meets none. */
const twentyRules = [1, 2, 3, 4].flatMap((nth) => {
  const destinationUrl = `https://example.com/${nth}`;
  return [
    { countries: ["NZ", `N${nth}`], regions: ["Otago"], cities: ["Dunedin"] },
    { platform: ["ios" as const], minOsVersion: "15", deviceTypes: ["tablet"], deviceVendors: ["Apple"] },
    { languages: ["fr"], browsers: ["Firefox"], startTime: "09:00", endTime: "17:00", daysOfWeek: [6] },
    { query: [{ name: "plan", values: [`p${nth}`] }], referrers: [`partner-${nth}.example`] },
    { addresses: [`203.0.113.${nth}`], after: "2026-06-01T00:00:00Z", before: "2026-07-01T00:00:00Z" },
  ].map((conditions) => ({ destinationUrl, conditions }));
});
/** What no name rules out has to be evaluated. */
const twentyUnmarked = Array.from({ length: 20 }, (_, nth) => ({
  destinationUrl: `https://example.com/${nth}`,
  conditions:
    nth % 2 === 0
      ? { query: [{ name: "plan", values: [`p${nth}`] }] }
      : { referrers: [`partner-${nth}.example`], after: "2026-06-01T00:00:00Z" },
}));
const twoTargets = [
  { key: "a", destinationUrl: "https://example.com/a", weight: 1 },
  { key: "b", destinationUrl: "https://example.com/b", weight: 3 },
];

const SUBJECTS = {
  "default destination": { link: definition({}), query: "" },
  "3 rules, none matches": { link: definition({ rules: threeRules }), query: "" },
  "3 rules, then a split of 2": { link: definition({ rules: threeRules, splitTargets: twoTargets }), query: "" },
  "20 rules of all kinds, none matches": { link: definition({ rules: twentyRules }), query: "" },
  "20 rules by query or referrer, none matches": { link: definition({ rules: twentyUnmarked }), query: "" },
  "3 rules, incoming query of 3": { link: definition({ rules: threeRules }), query: "gclid=abc&utm_source=mail&x=1" },
};

export function measureRules(): void {
  console.log("\nRules and destination for one visit");
  console.table(
    Object.entries(SUBJECTS).map(([subject, { link, query }]) => ({ subject, ns: nanoseconds(link, query) })),
  );
}

function nanoseconds(source: LinkDefinition, query: string): number {
  const link = compileLink(source);
  const pick = { visitorKey: () => "9f86d081884c7d65" };
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = Bun.nanoseconds();
    let length = 0;
    for (let turn = 0; turn < TURNS; turn++)
      length += finalDestination(link, link.route(FACTS, pick, MARKS), { query }).length;
    if (length === 0) throw new Error("Routing led nowhere");
    return (Bun.nanoseconds() - start) / TURNS;
  });
  return Math.round(median(rounds));
}
