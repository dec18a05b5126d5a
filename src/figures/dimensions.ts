/**
 * The single list of dimensions by which clicks are counted. Everything that counts, recounts, reads, filters or
 * exports figures uses this table. Its counterpart on the wire is `contract/analytics/dimensions`; a name that exists
 * in only one of the two does not compile.
 *
 * Codes are stored in packed counts and beside their values: they never change and are only appended, below 64. Codes
 * 8 and 9 belong to opens.
 */
import type { BreakdownName } from "@/contract/analytics/dimensions";
import { recordOf } from "@/contract/record-of";
import type { Utm } from "@/contract/routing";
import type { clicks } from "@/platform/db/schema/clicks";

export type ClickRow = typeof clicks.$inferSelect;
export type ClickDimension = "platform" | BreakdownName;

/** What dimensions need of a visit that is on its way into the database. */
export interface VisitFacts {
  record: { splitKey?: string | null };
  platform: string;
  agent: { deviceType?: string; browser?: string; os?: string };
  place: { country?: string; region?: string; city?: string };
  language: string;
  referrer: string;
  utm?: Utm;
  destinationUrl?: string;
  ruleNumber?: number | null;
  domainId?: string;
}

export const VISIT_PARTS = ["agent", "place", "utm"] as const;
export type VisitPart = (typeof VISIT_PARTS)[number];

interface Definition {
  code: number;
  /** The name of the column in `clicks`. */
  column: keyof ClickRow;
  /** The column with the value where that one is null. */
  fallback?: keyof ClickRow;
  /** The part of the visit that determines the value. Many visits share a part, so its values are derived only once. */
  part?: VisitPart;
  /** Returns null, undefined or an empty string if the visit has no value. */
  of(visit: VisitFacts): string | number | null | undefined;
  /**
   * Clicks without a value are counted under a blank one. In other dimensions they are the difference from all
   * clicks.
   */
  countsBlank?: true;
  /**
   * The visitor chooses the value, or there are as many values as links or as rules ever made. Only the most frequent
   * are counted separately.
   */
  isOpenEnded?: true;
}

export const CLICK_DIMENSIONS: Readonly<Record<ClickDimension, Definition>> = {
  platform: { code: 0, column: "platform", of: (visit) => visit.platform, countsBlank: true },
  country: { code: 1, column: "country", part: "place", of: (visit) => visit.place.country, countsBlank: true },
  city: { code: 2, column: "city", part: "place", of: (visit) => visit.place.city, countsBlank: true },
  device: { code: 3, column: "deviceType", part: "agent", of: (visit) => visit.agent.deviceType, countsBlank: true },
  browser: { code: 4, column: "browser", part: "agent", of: (visit) => visit.agent.browser, countsBlank: true },
  os: { code: 5, column: "os", part: "agent", of: (visit) => visit.agent.os, countsBlank: true },
  referrer: {
    code: 6,
    column: "referrer",
    of: (visit) => visit.referrer,
    countsBlank: true,
    isOpenEnded: true,
  },
  language: {
    code: 7,
    column: "language",
    of: (visit) => visit.language,
    countsBlank: true,
    isOpenEnded: true,
  },
  region: { code: 10, column: "region", part: "place", of: (visit) => visit.place.region },
  utmSource: { code: 11, column: "utmSource", part: "utm", of: (visit) => visit.utm?.source, isOpenEnded: true },
  utmMedium: { code: 12, column: "utmMedium", part: "utm", of: (visit) => visit.utm?.medium, isOpenEnded: true },
  utmCampaign: { code: 13, column: "utmCampaign", part: "utm", of: (visit) => visit.utm?.campaign, isOpenEnded: true },
  utmTerm: { code: 14, column: "utmTerm", part: "utm", of: (visit) => visit.utm?.term, isOpenEnded: true },
  utmContent: { code: 15, column: "utmContent", part: "utm", of: (visit) => visit.utm?.content, isOpenEnded: true },
  rule: {
    code: 16,
    column: "ruleNumber",
    fallback: "ruleIndex",
    of: (visit) => visit.ruleNumber,
    isOpenEnded: true,
  },
  split: { code: 17, column: "splitKey", of: (visit) => visit.record.splitKey, isOpenEnded: true },
  destination: { code: 18, column: "destinationUrl", of: (visit) => visit.destinationUrl, isOpenEnded: true },
  domain: { code: 19, column: "domainId", of: (visit) => visit.domainId },
};

/**
 * The value under which rare values of an open-ended dimension are counted together. It begins with a private-use
 * character to set it apart from the values of visitors, in which `clicks/enrich/source` replaces such characters.
 */
export const REST_VALUE = "\u{f8ff}other";

const isClickDimension = (name: string): name is ClickDimension => name in CLICK_DIMENSIONS;
export const CLICK_DIMENSION_NAMES: readonly ClickDimension[] = Object.keys(CLICK_DIMENSIONS).filter(isClickDimension);

/** The values of a stored click, as text; blank ones are empty. */
export type StoredValues = Readonly<Record<ClickDimension, string>>;

export function storedValuesOf(row: ClickRow): StoredValues {
  return mapDimensions((name) => {
    const { column, fallback } = CLICK_DIMENSIONS[name];
    return String(row[column] ?? (fallback && row[fallback]) ?? "");
  });
}

/** Returns an object with one entry for every dimension, by its name. */
export const mapDimensions = <Value>(make: (name: ClickDimension) => Value): Record<ClickDimension, Value> =>
  recordOf(CLICK_DIMENSION_NAMES, make);

/** Returns SQL for the value as text, empty if it is blank. The statement must use `clicks` under its own name. */
export function valueInSql(name: ClickDimension): string {
  if (name === "domain") return `coalesce((${DOMAIN_IN_SQL})::text, '')`;
  const { column, fallback } = CLICK_DIMENSIONS[name];
  const columns = [column, ...(fallback ? [fallback] : [])].map((each) => `${inSql(each)}::text`);
  return `coalesce(${columns.join(", ")}, '')`;
}

/**
 * Rows from before the domain was stored have none. Their link's domain is the same, as a link never changes domains.
 */
const DOMAIN_IN_SQL = "coalesce(clicks.domain_id, waymark_domain_of(clicks.link_id))";

const inSql = (column: keyof ClickRow): string => column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
