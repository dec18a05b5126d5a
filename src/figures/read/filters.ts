/** Turns filters into conditions on raw clicks. */
import type { Fragment } from "postgres";
import {
  FILTER_NAMES,
  type FilterName,
  type Filters,
  type LinkFilter,
  type ValueFilter,
} from "@/contract/analytics/analytics-filters";
import { BREAKDOWNS } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import { textArrayLiteral } from "@/platform/db/array-literals";
import { valueInSql } from "../dimensions";
import type { Reader } from "./scope";

/** Returns the fields that constrain anything. */
export const filteredFields = (filters: Filters): FilterName[] =>
  FILTER_NAMES.filter((name) => filters[name] !== undefined);

/** Of no filter, or a single link: rollups tell all of these. */
export function linkAlone(filters: Filters): { linkId?: string } | undefined {
  const fields = filteredFields(filters);
  if (fields.length === 0) return {};
  const [linkId, ...others] = filters.linkId ?? [];
  return fields.length === 1 && linkId !== undefined && others.length === 0 ? { linkId } : undefined;
}

/** Begins with `and`, or is empty; for statements on `clicks` under its own name, which name the organization themselves. */
export function filterConditions(sql: Reader, orgId: OrgId, filters: Filters): Fragment {
  return filteredFields(filters).reduce<Fragment>(
    (all, name) => sql`${all} and ${conditionOf(sql, orgId, filters, name)}`,
    sql``,
  );
}

function conditionOf(sql: Reader, orgId: OrgId, filters: Filters, name: FilterName): Fragment {
  switch (name) {
    case "domainId": {
      // As the click has it: a list of all links of a domain may be far longer than the clicks looked at.
      const ids = textArrayLiteral((filters.domainId ?? []).map((id) => id.toLowerCase()));
      return sql`${sql.unsafe(valueInSql("domain"))} = any(${ids}::text::text[])`;
    }
    case "linkId":
    case "tag":
      return sql`clicks.link_id in (${linksOf(sql, orgId, filters, name)})`;
    default:
      return sql`${sql.unsafe(valueInSql(name))} = any(${textArrayLiteral(storedOf(name, filters[name]))}::text::text[])`;
  }
}

/** The ids of the links that such a filter lets through. */
export function linksOf(sql: Reader, orgId: OrgId, filters: Filters, name: LinkFilter): Fragment {
  const values = textArrayLiteral([...(filters[name] ?? [])]);
  switch (name) {
    case "linkId":
      return sql`select unnest(${values}::text::uuid[])`;
    case "domainId":
      return sql`select id from links where org_id = ${orgId} and domain_id = any(${values}::text::uuid[])`;
    case "tag":
      return sql`select link_id from link_tags where org_id = ${orgId} and tag = any(${values}::text::text[])`;
    default:
      return name satisfies never;
  }
}

const LINK_FILTERS: readonly LinkFilter[] = ["linkId", "domainId", "tag"];

/** Whether all of them ask about links, and none about a visit. */
export const areOfLinks = (filters: Filters): boolean =>
  filteredFields(filters).every((name) => LINK_FILTERS.some((known) => known === name));

/** Begins with `and`, or is empty: those that ask about links, of the column that holds a link's id. */
export function linkConditions(sql: Reader, orgId: OrgId, filters: Filters, column: Fragment): Fragment {
  return LINK_FILTERS.filter((name) => filters[name] !== undefined).reduce<Fragment>(
    (all, name) => sql`${all} and ${column} in (${linksOf(sql, orgId, filters, name)})`,
    sql``,
  );
}

/** What is shown for clicks that tell nothing stands for these, and for its own name where somebody uses it. */
export function storedOf(name: ValueFilter, values: readonly string[] = []): string[] {
  return values.flatMap((value) => (value === BREAKDOWNS[name].blank ? ["", value] : [value]));
}
