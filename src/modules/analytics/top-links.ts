/**
 * Lists the most clicked links of a range with their records. The figures come from one snapshot; the records are
 * current.
 */
import type { Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import { TOP_LINKS_LIMIT, type TopLinks, type TopLinksQuery } from "@/contract/analytics/top-links";
import type { Link } from "@/contract/links/links";
import type { OrgId } from "@/core/ids";
import type { LoadedDays } from "@/figures/columns/loaded-days";
import { boundFault } from "@/figures/read/bound";
import { areOfLinks, filteredFields } from "@/figures/read/filters";
import type { LinkVisitors } from "@/figures/read/links/link-visitors";
import { type LeaderOptions, readLinkUniques, readTopLinks, readTopLinksAmong } from "@/figures/read/links/top-links";
import { type MatchingQuery, readMatchingLinks } from "@/figures/read/matching";
import { countMatchingLinks } from "@/figures/read/matching-columns";
import { partsOf } from "@/figures/read/scope";
import { invalid } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { validateQuery } from "./figures-query";
import { presentRange } from "./present";

/** Returns the records of these links by id, deleted links included. */
export type DescribeLinks = (orgId: OrgId, ids: string[]) => Promise<Map<string, Link & { isDeleted: boolean }>>;

export type TopLinksAsked = Pick<TopLinksQuery, "from" | "to" | "limit"> & { filters?: Filters };

/**
 * Throws 400 for an invalid range, or for too many clicks to examine under filters; 404 for a link or domain that is
 * not the organization's.
 */
export type ReadTopLinks = (orgId: OrgId, query: TopLinksAsked) => Promise<TopLinks>;

/** Leaders, visitors and columns are shared with all other readers of figures. */
export interface TopLinksOptions extends LeaderOptions {
  sql: Sql;
  visitors: LinkVisitors;
  columns: LoadedDays;
  clock: Clock;
  describeLinks: DescribeLinks;
  /** Maximum number of clicks that filters examine. Set by tests. */
  lookedAtMax?: number;
  /** Maximum number of raw clicks loaded into columns on request. Set by tests. */
  rawMax?: number;
}

export function createTopLinks({ clock, describeLinks, ...sources }: TopLinksOptions): ReadTopLinks {
  return async (orgId, { limit = TOP_LINKS_LIMIT.default, ...query }) => {
    const now = clock();
    const { range, filters } = await validateQuery(sources.sql, orgId, query, now);
    const matching = { orgId, range, includeBots: false, filters };
    const top = areOfLinks(filters)
      ? await readFigures(sources, matching, now, limit)
      : await readClicked(sources, matching, now, limit);
    const ids = top.map(({ linkId }) => linkId);
    const records = await describeLinks(orgId, ids);
    const links = top.flatMap(({ linkId, ...figures }) => {
      const record = records.get(linkId);
      return record ? [{ ...record, ...figures }] : [];
    });
    return { links, range: presentRange(range) };
  };
}

type Sources = Omit<TopLinksOptions, "clock" | "describeLinks">;

/** Reads from rollups, which record the link of each click. Uses a custom plan for each query, as overviews do. */
function readFigures(
  { sql, visitors, leaders, leadersMax }: Sources,
  { orgId, range, includeBots, filters }: MatchingQuery,
  now: number,
  limit: number,
) {
  const scope = { includeBots, ...partsOf(range, now) };
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const top =
      filteredFields(filters).length > 0
        ? await readTopLinksAmong(snapshot, orgId, scope, limit, filters)
        : await readTopLinks(snapshot, { leaders, leadersMax }, orgId, scope, limit);
    const ids = top.map(({ linkId }) => linkId);
    const uniques = await readLinkUniques(snapshot, visitors, orgId, scope, ids);
    return top.map((link) => ({ ...link, uniqueVisitors: Math.min(uniques.get(link.linkId) ?? 0, link.clicks) }));
  });
}

/** Counts the clicks themselves, which have the properties that filters match. */
function readClicked(
  { sql, columns, lookedAtMax, rawMax }: Sources,
  matching: MatchingQuery,
  now: number,
  limit: number,
) {
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const fault = await boundFault(snapshot, matching, lookedAtMax);
    if (fault !== undefined) throw invalid([fault]);
    const opened = await columns.open(snapshot, matching.orgId, matching.range, { now, rawMax });
    if (opened) return countMatchingLinks(snapshot, opened, matching, limit);
    return [...(await readMatchingLinks(snapshot, matching, limit))];
  });
}
