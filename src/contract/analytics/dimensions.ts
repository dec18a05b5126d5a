/**
 * The dimensions by which figures are broken down, as the API names them. How each is stored and read is in
 * `figures/dimensions`, which does not compile if one of these is missing there.
 */
interface Breakdown {
  /** Name of its list in the overview. */
  list: string;
  example: string;
  says: string;
  /** The value under which clicks without one are counted. */
  blank: "unknown" | "direct" | "none";
}

/** In the order of the overview. */
export const BREAKDOWNS = {
  country: { list: "byCountry", example: "DE", says: "ISO 3166-1 alpha-2 codes, or `unknown`", blank: "unknown" },
  region: { list: "byRegion", example: "Bavaria", says: "Names, or `unknown`", blank: "unknown" },
  city: { list: "byCity", example: "Berlin", says: "Names, or `unknown`", blank: "unknown" },
  device: { list: "byDevice", example: "mobile", says: "Device types, or `unknown`", blank: "unknown" },
  browser: { list: "byBrowser", example: "Mobile Safari", says: "Names, or `unknown`", blank: "unknown" },
  os: { list: "byOs", example: "iOS", says: "Names, or `unknown`", blank: "unknown" },
  referrer: {
    list: "byReferrer",
    example: "news.example.com",
    says: "Hosts of referring pages, or `direct`",
    blank: "direct",
  },
  language: { list: "byLanguage", example: "de-AT", says: "Preferred languages, or `unknown`", blank: "unknown" },
  utmSource: { list: "byUtmSource", example: "newsletter", says: "`utm_source`, or `none`", blank: "none" },
  utmMedium: { list: "byUtmMedium", example: "email", says: "`utm_medium`, or `none`", blank: "none" },
  utmCampaign: { list: "byUtmCampaign", example: "spring", says: "`utm_campaign`, or `none`", blank: "none" },
  utmTerm: { list: "byUtmTerm", example: "running shoes", says: "`utm_term`, or `none`", blank: "none" },
  utmContent: { list: "byUtmContent", example: "banner", says: "`utm_content`, or `none`", blank: "none" },
  rule: {
    list: "byRule",
    example: "0",
    says: "The rule that chose the destination, by its `number` in the link, wherever it has moved since, or `none`",
    blank: "none",
  },
  split: { list: "bySplit", example: "a", says: "Keys of the chosen split targets, or `none`", blank: "none" },
  destination: {
    list: "byDestination",
    example: "https://example.com/spring",
    says: "Destinations as configured, without parameters added by a visit, or `unknown`",
    blank: "unknown",
  },
  domain: { list: "byDomain", example: "go.example.com", says: "Hosts of the links, or `unknown`", blank: "unknown" },
} as const satisfies Record<string, Breakdown>;

export type BreakdownName = keyof typeof BREAKDOWNS;
export type ListName = (typeof BREAKDOWNS)[BreakdownName]["list"];
export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS).filter((name): name is BreakdownName => name in BREAKDOWNS);

/** Builds an overview's lists, each under its own name, in order. */
export function listsOf<Lists extends Record<ListName, unknown>>(make: (name: BreakdownName) => unknown): Lists {
  const lists: Partial<Lists> = {};
  for (const name of BREAKDOWN_NAMES) Object.assign(lists, { [BREAKDOWNS[name].list]: make(name) });
  if (!areWhole(lists)) throw new Error("A list was left out");
  return lists;
}

const areWhole = <Lists extends Record<ListName, unknown>>(lists: Partial<Lists>): lists is Lists =>
  BREAKDOWN_NAMES.every((name) => BREAKDOWNS[name].list in lists);

/** More dimensions: `tag` comes from the link's current tags, `hourOfWeek` from the click's time. */
const DERIVED = ["tag", "hourOfWeek"] as const;
export type DerivedName = (typeof DERIVED)[number];

/** Everything that clicks can be counted by. */
export type BreakdownBy = BreakdownName | DerivedName;
export const BREAKDOWN_BY: readonly BreakdownBy[] = [...BREAKDOWN_NAMES, ...DERIVED];

/** In UTC; the first hour begins on Monday at midnight. */
export const HOURS_OF_WEEK = 168;

/** Stands for the rare values of a dimension that has too many to be stored separately. */
export const OTHER_VALUE = "other";
