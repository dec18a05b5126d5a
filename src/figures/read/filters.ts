/** Turns filters into SQL conditions on raw clicks. */
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
import { sentHostname } from "@/core/names/hostname";
import { textArrayLiteral } from "@/platform/db/array-literals";
import { valueInSql } from "../dimensions";
import type { Reader } from "./scope";

/** Returns the fields that constrain anything. */
export const filteredFields = (filters: Filters): FilterName[] =>
  FILTER_NAMES.filter((name) => filters[name] !== undefined);

/** Returns the link if there is no filter or a single link, which rollups can answer; undefined for other filters. */
export function singleLinkOrNone(filters: Filters): { linkId?: string } | undefined {
  const fields = filteredFields(filters);
  if (fields.length === 0) return {};
  const [linkId, ...others] = filters.linkId ?? [];
  return fields.length === 1 && linkId !== undefined && others.length === 0 ? { linkId } : undefined;
}

/**
 * Returns conditions that begin with `and`, or an empty fragment. The statement must use `clicks` under its own name
 * and select the organization itself.
 */
export function filterConditions(sql: Reader, orgId: OrgId, filters: Filters): Fragment {
  return filteredFields(filters).reduce<Fragment>(
    (all, name) => sql`${all} and ${conditionOf(sql, orgId, filters, name)}`,
    sql``,
  );
}

function conditionOf(sql: Reader, orgId: OrgId, filters: Filters, name: FilterName): Fragment {
  switch (name) {
    case "domainId": {
      // Compares the click's own domain: a list of all links of the domain may be far longer than the clicks
      // examined.
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

/** Returns a query for the ids of the links that match the filter. */
export function linksOf(sql: Reader, orgId: OrgId, filters: Filters, name: LinkFilter): Fragment {
  const values = textArrayLiteral([...(filters[name] ?? [])]);
  switch (name) {
    case "linkId":
      return sql`select unnest(${values}::text::uuid[])`;
    case "domainId":
      return sql`
        select id from links
        where org_id = ${orgId} and domain_id = any(${values}::text::uuid[]) and former_hostname is null`;
    case "tag":
      return sql`select link_id from link_tags where org_id = ${orgId} and tag = any(${values}::text::text[])`;
    default:
      return name satisfies never;
  }
}

const LINK_FILTERS: readonly LinkFilter[] = ["linkId", "domainId", "tag"];

/** True if all filters concern links and none a visit. */
export const areOfLinks = (filters: Filters): boolean =>
  filteredFields(filters).every((name) => LINK_FILTERS.some((known) => known === name));

/**
 * Returns the filters that concern links as conditions on `column`, which holds a link's id. The fragment begins with
 * `and`, or is empty.
 */
export function linkConditions(sql: Reader, orgId: OrgId, filters: Filters, column: Fragment): Fragment {
  return LINK_FILTERS.filter((name) => filters[name] !== undefined).reduce<Fragment>(
    (all, name) => sql`${all} and ${column} in (${linksOf(sql, orgId, filters, name)})`,
    sql``,
  );
}

/**
 * Returns the stored values that match these filter values. The label of blank values stands for them, and also for a
 * value that is literally spelled like it. A referring host is also stored as browsers send it.
 */
export function storedOf(name: ValueFilter, values: readonly string[] = []): string[] {
  const stored = values.flatMap((value) => {
    if (value === BREAKDOWNS[name].blank) return ["", value];
    return name === "referrer" ? [value, sentHostname(value)] : [value];
  });
  return [...new Set(stored)];
}
