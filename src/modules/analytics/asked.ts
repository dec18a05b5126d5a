/** What a query asks for: its range, and the parts of it that the sources of figures know. */
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import { FILTER_NAMES, FILTER_VALUES_MAX, type Filters, filterLengthMax } from "@/contract/analytics/analytics-filters";
import { isUuid, type OrgId } from "@/core/ids";
import { parseTimeRange, type TimeRange } from "@/core/time/time-range";
import type { Reader } from "@/figures/read/scope";
import { invalid, notFound } from "@/http/errors";
import { repeatedOf } from "@/http/repeated";
import { checkFilters } from "./check-filters";
import { isKnownLink } from "./known-links";

/** Throws 400 for a range that makes no sense. */
export function askedRange(query: Pick<AnalyticsQuery, "from" | "to">, now: number): TimeRange {
  const parsed = parseTimeRange(query, now);
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.range;
}

/** Describes a query with filters. */
export type AskedQuery = Pick<AnalyticsQuery, "from" | "to" | "includeBots"> & { filters?: Filters };

/** The filters as the address has them. Throws 400 for what is no text, too long or too much. */
export const filtersOf = ({ url }: Request): Filters =>
  repeatedOf(url, FILTER_NAMES, { valuesMax: FILTER_VALUES_MAX, lengthMax: filterLengthMax });

/** Throws 400 for a range that makes no sense, and as `checkFilters`. */
export async function askedFigures(sql: Reader, orgId: OrgId, query: AskedQuery, now: number) {
  const { filters = {}, includeBots = false } = query;
  const range = askedRange(query, now);
  await checkFilters(sql, orgId, filters);
  return { range, filters, includeBots };
}

/** Throws 404 for a link that is not the organization's. */
export async function checkLink(sql: Reader, orgId: OrgId, linkId: string | undefined): Promise<void> {
  if (linkId !== undefined && !(await isKnownLink(sql, orgId, linkId))) throw notFound("link");
}

/** Throws 404 for a domain that is not the organization's, or not any more; the shared one is everybody's. */
export async function checkDomain(sql: Reader, orgId: OrgId, domainId: string | undefined): Promise<void> {
  if (domainId === undefined) return;
  const known = isUuid(domainId)
    ? await sql`select 1 from domains where id = ${domainId} and (org_id = ${orgId} or org_id is null)`
    : [];
  if (known.length === 0) throw notFound("domain");
}
