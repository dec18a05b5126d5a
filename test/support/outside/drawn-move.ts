/** Links with every kind of field, and visits to them, drawn at random from a fixed seed. */
import { FIREFOX, IPHONE, PIXEL } from "@test/support/forms";
import { CLIENT_HEADER } from "@test/support/service";
import fc from "fast-check";
import type { LinkInput } from "@/contract/links/links";
import type { RuleConditions } from "@/contract/routing";

/** The domains: the shared one, one for most links, one on which case matters, and an international one. */
export type Place = "shared" | "own" | "strict" | "wide";
export const HOSTS = { own: "go.move.test", strict: "strict.move.test", wide: "xn--bcher-kva.move.test" };

export interface DrawnLink extends LinkInput {
  place: Place;
  slug: string;
  /** Which of the app profiles. */
  app?: number;
}

export interface DrawnVisit {
  place: Place;
  path: string;
  query: string;
  headers: Record<string, string>;
  at: number;
  isResolved: boolean;
}

const SEED = 20_261;
const LINKS = 90;
const HOUR_MS = 3_600_000;
/** When the links are made. The visits follow in the two days after. */
export const START = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
const soon = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();

const optionally = <Shape extends object>(shape: { [Field in keyof Shape]: fc.Arbitrary<Shape[Field]> }) =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true });
const oneOrMore = <Value extends string | number>(...values: Value[]) => fc.subarray(values, { minLength: 1 });

const conditionsByName: { [Name in keyof RuleConditions]-?: fc.Arbitrary<RuleConditions[Name]> } = {
  platform: oneOrMore("ios", "android", "desktop", "other"),
  deviceTypes: oneOrMore("mobile", "tablet", "desktop"),
  browsers: oneOrMore("Firefox", "Mobile Safari", "Chrome", "Mobile Chrome"),
  deviceVendors: oneOrMore("Apple", "Google"),
  deviceModels: oneOrMore("iPhone", "Pixel 8"),
  countries: oneOrMore("JP", "DE", "US", "GB"),
  regions: oneOrMore("Tokyo", "England", "California"),
  cities: oneOrMore("Tokyo", "Mountain View", "London"),
  languages: oneOrMore("en", "de-AT", "fr"),
  minOsVersion: fc.constantFrom("9", "15.1"),
  maxOsVersion: fc.constantFrom("14", "18.0.1"),
  startTime: fc.constantFrom("06:00", "22:30"),
  endTime: fc.constantFrom("12:00", "02:15"),
  daysOfWeek: oneOrMore(0, 1, 2, 3, 4, 5, 6),
  query: fc.constantFrom([{ name: "src" }], [{ name: "src", values: ["tv", "radio"] }, { name: "lang" }]),
  referrers: oneOrMore("direct", "news.example.com", "t.co"),
  addresses: oneOrMore("133.11.0.0/16", "8.8.8.8"),
  after: fc.constantFrom(soon(-30), soon(20)),
  before: fc.constantFrom(soon(30), soon(40)),
};

const conditions = optionally(conditionsByName).map((all) =>
  // Few visits meet more than two.
  Object.fromEntries(Object.entries(all).filter((_, index) => index < 2)),
);
const rules = fc.array(conditions, { minLength: 1, maxLength: 3 }).map((all) =>
  all.map((one, index) => ({
    ...{ priority: 3 - index, destinationUrl: `https://rule.example.com/${index}?from=rule#top`, conditions: one },
  })),
);
const splitTargets = fc
  .array(fc.record({ weight: fc.integer({ min: 0, max: 9 }), isActive: fc.boolean() }), { minLength: 2, maxLength: 3 })
  .map((all) =>
    all.map((target, index) => ({ ...target, key: `k${index}`, destinationUrl: `https://example.com/split-${index}` })),
  );

const fields: fc.Arbitrary<Partial<LinkInput>> = optionally<Omit<LinkInput, "defaultUrl">>({
  title: fc.constantFrom("Sale", "'=1+1", "Größe 🙂"),
  tags: oneOrMore("spring", "a, b"),
  rules,
  splitTargets,
  utm: optionally({ source: fc.constant("mail & more"), campaign: fc.constant("für alle") }),
  marketing: optionally({ referralCode: fc.constant("ada"), appendToDestination: fc.boolean() }),
  deepLinkPayload: fc.constantFrom({ screen: "offer", ids: [1, 2.5, null] }, { text: "'=x" }),
});
/** Fields that end a visit before it leads anywhere, few at a time: else no visit would get past all of them. */
const gates: fc.Arbitrary<Partial<LinkInput>> = fc.constantFrom<Partial<LinkInput>[]>(
  ...Array.from({ length: 6 }, () => ({})),
  { isActive: false },
  { isArchived: true },
  { startsAt: soon(20) },
  { expiresAt: soon(20) },
  { startsAt: soon(-1), expiresAt: soon(40), expiredUrl: "https://example.com/over" },
  { maxClicks: 3 },
  { maxClicks: 5, expiredUrl: "https://example.com/full" },
  { password: "yes" },
  { password: "yes", isActive: false },
  { leadCapture: { enabled: true, title: "Stay in touch", fields: [{ name: "email", type: "email" }] } },
  { ctaOverlay: { enabled: true, message: "20% off", mode: "overlay", position: "top" } },
  { retargetingPixels: [{ provider: "meta", id: "1234567890" }] },
  { social: { title: "Card", description: "For all", imageUrl: "https://img.example.com/a.jpg" } },
);
const place = fc.constantFrom<Place[]>("own", "own", "strict", "wide", "shared");
const app = fc.constantFrom(undefined, undefined, 0, 1, 2);
const pathPrefix = fc.constantFrom(undefined, undefined, "shop/de", "straße");

export const drawLinks = (): DrawnLink[] =>
  fc
    .sample(fc.tuple(place, app, pathPrefix, fields, gates), { seed: SEED, numRuns: LINKS })
    .map(([where, profile, prefix, drawn, gate], index) => ({
      ...drawn,
      ...gate,
      defaultUrl: `https://example.com/${index}?own=1`,
      externalId: `e-${index}`,
      place: where,
      slug: slugAt(where, index),
      // On an organization's own domain, a link without an app has one of the organization's.
      ...((profile !== undefined || where === "shared") && { app: profile ?? 0 }),
      ...(prefix !== undefined && { pathPrefix: prefix }),
    }));

/** On the domain on which case matters, two links differ by nothing else. */
function slugAt(where: Place, index: number): string {
  if (where === "strict") return index % 2 === 0 ? `Way-${index}` : `way-${index - 1}`;
  return where === "wide" ? `grüße-${index}` : `Way.${index}+~`;
}

const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 16_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.3 Mobile/15E148 Safari/604.1";
const INSTAGRAM = `${IPHONE.replace(/ Version.*/, "")} Mobile/15E148 Instagram 300.0.0.0`;
const PREVIEWER = "facebookexternalhit/1.1";
const ADDRESSES = ["133.11.0.", "81.2.69.", "8.8.8.", "194.25.0.", "203.0.113."];

const header = (name: string, ...values: string[]) =>
  fc.constantFrom(...values.map((value) => ({ [name]: value })), {});

export const drawVisits = (links: readonly DrawnLink[], count: number): DrawnVisit[] =>
  fc
    .sample(
      fc.record({
        link: fc.constantFrom(...links),
        query: fc.constantFrom(
          "",
          "",
          "src=tv&lang=de",
          "src=web&own=2",
          "utm_source=there&x=%C3%A4+1",
          "pw=open+sesame",
        ),
        agent: fc.constantFrom(FIREFOX, IPHONE, PIXEL, IPAD, INSTAGRAM, PREVIEWER),
        others: fc.tuple(
          header("accept-language", "de-AT,de;q=0.9,en;q=0.5", "fr", "en-US,en;q=0.9"),
          header("referer", "https://news.example.com/a?b", "https://t.co/x"),
          header("x-link-password", "open sesame", "wrong"),
        ),
        address: fc.tuple(fc.constantFrom(...ADDRESSES), fc.integer({ min: 1, max: 250 })),
        hours: fc.double({ min: 0, max: 48, noNaN: true }),
        isResolved: fc.boolean(),
      }),
      { seed: SEED, numRuns: count },
    )
    .map(({ link, query, agent, others, address, hours, isResolved }) => ({
      place: link.place,
      path: encodeURI([link.pathPrefix, link.slug].filter(Boolean).join("/")),
      query,
      headers: { ...Object.assign({}, ...others), "user-agent": agent, [CLIENT_HEADER]: address.join("") },
      at: START + Math.round(hours * HOUR_MS),
      isResolved,
    }))
    .toSorted((one, other) => one.at - other.at);
