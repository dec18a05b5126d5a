/** The most clicked links of a range, each with its record: the figures from one snapshot, the records from now. */
import type { Sql } from "postgres";
import type { Link } from "@/contract/links";
import { TOP_LINKS_LIMIT, type TopLinks, type TopLinksQuery } from "@/contract/top-links";
import type { OrgId } from "@/core/ids";
import type { TimeRange } from "@/core/time-range";
import type { Clock } from "@/platform/clock";
import { askedRange, partsOf } from "./asked";
import { presentRange } from "./present";
import type { PackedFigures } from "./queries/packed";
import { type Leading, readLinkUniques, readTopLinks } from "./queries/top-links";

/** The records of these links by id, deleted ones included. */
export type DescribeLinks = (orgId: OrgId, ids: string[]) => Promise<Map<string, Link & { isDeleted: boolean }>>;

/** Throws 400 for a range that makes no sense. */
export type ReadTopLinks = (orgId: OrgId, query: TopLinksQuery) => Promise<TopLinks>;

/** Leaders and packed figures are shared with whoever else reads figures. */
export interface TopLinksOptions extends Leading {
  sql: Sql;
  packed: PackedFigures;
  clock: Clock;
  describeLinks: DescribeLinks;
}

export function createTopLinks({ clock, describeLinks, ...sources }: TopLinksOptions): ReadTopLinks {
  return async (orgId, { limit = TOP_LINKS_LIMIT.default, ...query }) => {
    const now = clock();
    const range = askedRange(query, now);
    const top = await readFigures(sources, orgId, range, now, limit);
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

/** Planned anew each time, as for overviews. */
function readFigures({ sql, packed, ...leading }: Sources, orgId: OrgId, range: TimeRange, now: number, limit: number) {
  const scope = { includeBots: false, ...partsOf(range, now) };
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const top = await readTopLinks(snapshot, leading, orgId, scope, limit);
    const ids = top.map(({ linkId }) => linkId);
    const uniques = await readLinkUniques(snapshot, packed, orgId, scope, ids);
    return top.map((link) => ({ ...link, uniqueVisitors: Math.min(uniques.get(link.linkId) ?? 0, link.clicks) }));
  });
}
