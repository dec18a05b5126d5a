/** Filters of figures and clicks. A field matches any of its values, and all fields have to match. */
import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { recordOf } from "../record-of";
import { EXAMPLE_ID, list, nullable, optional, text, withExample } from "../schema";
import { BREAKDOWN_NAMES, BREAKDOWNS, type BreakdownName } from "./dimensions";

export type ValueFilter = Exclude<BreakdownName, "domain">;
/** Filters on properties of a click's link. */
export type LinkFilter = "linkId" | "domainId" | "tag";
export type FilterName = LinkFilter | ValueFilter;

export const VALUE_FILTERS = BREAKDOWN_NAMES.filter((name): name is ValueFilter => name !== "domain");
export const FILTER_NAMES: readonly FilterName[] = ["linkId", "domainId", "tag", ...VALUE_FILTERS];

/** Values by filter; an absent filter matches everything. */
export type Filters = { readonly [Name in FilterName]?: readonly string[] };

export const FILTER_VALUES_MAX = 20;
export const filterLengthMax = (name: FilterName): number => (name === "tag" ? 50 : 2_048);

/** Matches a rule's number, as figures name it, or `none`. */
export const RULE_FILTER = /^(?:none|0|[1-9]\d{0,9})$/;
export const NO_RULE_FILTER = "expected a number, or none";

/**
 * Values are read from the raw query string and validated there (`http/repeated`): Elysia splits the values of a
 * repeated field at commas, and its errors cannot say which field of a union is too long.
 */
const repeatable = (name: FilterName) =>
  optional(
    t.Union([t.String(), t.Array(t.String())], {
      description: `${saysOf(name)}. Repeat up to ${FILTER_VALUES_MAX} times to match any of the values`,
      examples: [exampleOf(name)],
    }),
  );

const listed = (name: FilterName) =>
  optional(
    nullable(
      withExample(
        [exampleOf(name)],
        list(itemOf(name), FILTER_VALUES_MAX, `${saysOf(name)}; matches any of the values`),
      ),
    ),
  );

const itemOf = (name: FilterName) => ({
  ...text(filterLengthMax(name), 1),
  ...(name === "rule" && { pattern: RULE_FILTER.source, error: NO_RULE_FILTER }),
});

function exampleOf(name: FilterName): string {
  if (name === "tag") return "spring";
  return name === "linkId" || name === "domainId" ? EXAMPLE_ID : BREAKDOWNS[name].example;
}

function saysOf(name: FilterName): string {
  switch (name) {
    case "linkId":
      return "Only this link or bio page, even if deleted";
    case "domainId":
      return "Only links on this domain";
    case "tag":
      return "Only links that have this tag now; deleted links have none";
    default: {
      const { list, blank } = BREAKDOWNS[name];
      return `Only clicks with this \`${name}\`, as listed in \`${list}\`; \`${blank}\` matches clicks without one`;
    }
  }
}

const BESIDE_LINK: readonly Exclude<FilterName, "linkId">[] = ["domainId", "tag", ...VALUE_FILTERS];

/** The filters as query parameters. */
export const filterQuery = { linkId: repeatable("linkId"), ...recordOf(BESIDE_LINK, repeatable) };

/** The filters in a request body, as lists, in addition to `linkId`. */
export const filterFields = recordOf(BESIDE_LINK, listed);
/** The filters in a response. */
export const filterAnswers = recordOf(BESIDE_LINK, (name) =>
  optional(Type.Array(Type.String(), { maxItems: FILTER_VALUES_MAX, examples: [[exampleOf(name)]] })),
);
