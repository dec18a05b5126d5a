/**
 * Clicks by the tags that links have now. Rollups contain no tags, because tags change: the figures of links are
 * summed, unless there are too many of them in the range.
 */
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { hasFewFigures } from "./links/link-figures";
import { type FiguresScope, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

/** Up to this many tags of links are summed without checking how many figures there are. */
const FEW_TAGS = 200;

export interface TagRow {
  tag: string;
  count: number;
}

interface TagsOptions {
  limit: number;
  rowsMax: number;
  /**
   * Counts tags from clicks in columns, where that is quicker than summing the figures of many links. Resolves to
   * undefined if it cannot.
   */
  inColumns?(): Promise<TagRow[] | undefined>;
}

/** Returns the tags of one link, each with all of the link's clicks, in the order of their names. */
export async function readTagsOfLink(
  sql: Reader,
  orgId: OrgId,
  linkId: string,
  clicks: number | Promise<number>,
  limit: number,
): Promise<TagRow[]> {
  const [tags, count] = await Promise.all([
    sql<{ tag: string }[]>`
      select tag from link_tags where org_id = ${orgId} and link_id = ${linkId} order by tag collate "C" limit ${limit}`,
    clicks,
  ]);
  return count > 0 ? tags.map(({ tag }) => ({ tag, count })) : [];
}

/**
 * Returns the tags of all links, the most clicked first, ties in the order of their names. Returns undefined if the
 * links have more than `rowsMax` figures.
 */
export async function readTags(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  { limit, rowsMax, inColumns = async () => undefined }: TagsOptions,
): Promise<TagRow[] | undefined> {
  const [tagged] = await sql<{ tags: number }[]>`
    select count(*)::float8 as tags from (
      select 1 from link_tags where org_id = ${orgId} limit ${FEW_TAGS + 1}) as tags`;
  const tags = tagged?.tags ?? 0;
  if (tags === 0) return [];
  const counted = tags > FEW_TAGS ? await inColumns() : undefined;
  if (counted) return counted;
  const isBounded = tags <= FEW_TAGS || (await areFew(sql, orgId, scope, rowsMax));
  return isBounded ? [...(await sumTags(sql, orgId, scope, limit))] : undefined;
}

/**
 * Returns false early if a sample of two days shows that there are far too many figures. One day would not do,
 * because the last one may have only just begun.
 */
async function areFew(sql: Reader, orgId: OrgId, scope: FiguresScope, rowsMax: number): Promise<boolean> {
  const { from, to } = scope.whole.days;
  const parts = (to - from) / SAMPLE_MS;
  if (parts > 1) {
    const sample = { ...scope, whole: { days: { from: to - SAMPLE_MS, to }, hours: [] } };
    if (!(await hasFewFigures(sql, orgId, sample, Math.ceil(rowsMax / parts)))) return false;
  }
  return hasFewFigures(sql, orgId, scope, rowsMax);
}

const SAMPLE_MS = 2 * DAY_MS;

function sumTags(sql: Reader, orgId: OrgId, scope: FiguresScope, limit: number) {
  const { partialHourClicks, ofHumans } = scopeFragments(sql, orgId, scope);
  // Groups by link first, because there are far more figures than links, and tags are wide.
  return sql<TagRow[]>`
    select tag, sum(links.clicks)::float8 as count
    from (
      select link_id, sum(clicks) as clicks from (
        select null::uuid as link_id, 0 as clicks where false
        ${unionAll(
          sql,
          sourcesOf(scope.whole),
          ({ figures, start, span }) => sql`
          select link_id, clicks from ${sql(figures)}
          where org_id = ${orgId} and link_id <> ${WHOLE_ORGANIZATION} ${ofHumans}
            and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}`,
        )}
        ${unionAll(sql, partialHourClicks, (partialHour) => sql`select link_id, 1 from clicks where ${partialHour}`)}
      ) as figures group by link_id
    ) as links join link_tags on link_tags.org_id = ${orgId} and link_tags.link_id = links.link_id
    group by tag having sum(links.clicks) > 0 order by sum(links.clicks) desc, tag collate "C" limit ${limit}`;
}
