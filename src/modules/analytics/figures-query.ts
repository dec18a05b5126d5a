/** Validates the range, filters, link and domain of an analytics query. */
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import { FILTER_NAMES, FILTER_VALUES_MAX, type Filters, filterLengthMax } from "@/contract/analytics/analytics-filters";
import { isUuid, type OrgId } from "@/core/ids";
import { storedTag } from "@/core/names/tag";
import { parseTimeRange, type TimeRange } from "@/core/time/time-range";
import type { Reader } from "@/figures/read/scope";
import { invalid, notFoundInField } from "@/http/errors";
import { readRepeatedParameters } from "@/http/repeated";
import { checkFilters } from "./check-filters";
import { isKnownLink } from "./known-links";

/** Throws 400 for an invalid range. */
export function parseRange(query: Pick<AnalyticsQuery, "from" | "to">, now: number): TimeRange {
  const parsed = parseTimeRange(query, now);
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.range;
}

/** Query whose filters have been read from the URL. */
export type FiguresQuery = Pick<AnalyticsQuery, "from" | "to" | "includeBots"> & { filters?: Filters };

/**
 * Reads the filters from the URL. Throws 400 for values that are not text, are too long, or are too many. An id in
 * capitals is the same id: it is not to be listed or counted twice.
 */
export function filtersOf({ url }: Request): Filters {
  const filters = readRepeatedParameters(url, FILTER_NAMES, {
    valuesMax: FILTER_VALUES_MAX,
    lengthMax: filterLengthMax,
  });
  const { linkId, domainId } = filters;
  return { ...filters, ...(linkId && { linkId: sameIds(linkId) }), ...(domainId && { domainId: sameIds(domainId) }) };
}

const sameIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

/** Throws 400 for an invalid range, and as `checkFilters` does. Finds tags as lists of links do. */
export async function validateQuery(sql: Reader, orgId: OrgId, query: FiguresQuery, now: number) {
  const { filters: { tag, ...others } = {}, includeBots = false } = query;
  const filters: Filters = { ...others, ...(tag && { tag: [...new Set(tag.map(storedTag))] }) };
  const range = parseRange(query, now);
  await checkFilters(sql, orgId, filters);
  return { range, filters, includeBots };
}

/** Throws 404 for a link that is not the organization's. */
export async function checkLink(sql: Reader, orgId: OrgId, linkId: string | undefined): Promise<void> {
  if (linkId !== undefined && !(await isKnownLink(sql, orgId, linkId))) throw notFoundInField("linkId", "link");
}

/** Throws 404 unless the organization currently owns the domain. The shared domain belongs to everyone. */
export async function checkDomain(sql: Reader, orgId: OrgId, domainId: string | undefined): Promise<void> {
  if (domainId === undefined) return;
  const known = isUuid(domainId)
    ? await sql`select 1 from domains where id = ${domainId} and (org_id = ${orgId} or org_id is null)`
    : [];
  if (known.length === 0) throw notFoundInField("domainId", "domain");
}
