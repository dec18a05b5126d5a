/** What figures and clicks are narrowed down by. Values of one field: any of them; fields: all of them must hold. */
import { t } from "elysia";
import { BREAKDOWN_NAMES, BREAKDOWNS, type BreakdownName } from "./dimensions";
import { optional } from "./schema";

export type ValueFilter = Exclude<BreakdownName, "domain">;
/** What is asked about a click's link. */
export type LinkFilter = "linkId" | "domainId" | "tag";
export type FilterName = LinkFilter | ValueFilter;

export const VALUE_FILTERS = BREAKDOWN_NAMES.filter((name): name is ValueFilter => name !== "domain");
export const FILTER_NAMES: readonly FilterName[] = ["linkId", "domainId", "tag", ...VALUE_FILTERS];

/** By field; a field that is absent narrows nothing down. */
export type Filters = { readonly [Name in FilterName]?: readonly string[] };

export const FILTER_VALUES_MAX = 20;
export const filterLengthMax = (name: FilterName): number => (name === "tag" ? 50 : 2_048);

/**
 * Values are read from the query's own text and bounded there (`http/repeated`), since Elysia cuts those of a repeated
 * field at commas and cannot say which field of a union is too long.
 */
const values = (description: string, example: string) =>
  optional(
    t.Union([t.String(), t.Array(t.String())], {
      description: `${description}. May be repeated, up to ${FILTER_VALUES_MAX} times: any of the values`,
      examples: [example],
    }),
  );

const ofDimension = (name: ValueFilter) =>
  values(
    `Clicks with this ${name} alone, as \`${BREAKDOWNS[name].list}\` has it; \`${BREAKDOWNS[name].blank}\`: with none`,
    BREAKDOWNS[name].example,
  );

const ID = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";

export const filterQuery = {
  linkId: values("This link, or bio page, alone; a deleted one still has its figures", ID),
  domainId: values("Links on this domain alone", ID),
  tag: values("Links that have this tag now; a deleted link has none", "spring"),
  country: ofDimension("country"),
  region: ofDimension("region"),
  city: ofDimension("city"),
  device: ofDimension("device"),
  browser: ofDimension("browser"),
  os: ofDimension("os"),
  referrer: ofDimension("referrer"),
  language: ofDimension("language"),
  utmSource: ofDimension("utmSource"),
  utmMedium: ofDimension("utmMedium"),
  utmCampaign: ofDimension("utmCampaign"),
  utmTerm: ofDimension("utmTerm"),
  utmContent: ofDimension("utmContent"),
  rule: ofDimension("rule"),
  split: ofDimension("split"),
  destination: ofDimension("destination"),
} satisfies Record<FilterName, ReturnType<typeof values>>;
