/**
 * The links (no bio pages) of an organization with the most clicks in a range, deleted ones included, and the
 * distinct visitors of given links.
 */
import type { Fragment } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OrgId } from "@/core/ids";
import { addHash, createSketch, estimate, PRECISION } from "@/figures/uniques";
import { arrayLiteral } from "@/platform/db/array-literals";
import { linkConditions } from "../filters";
import { type FiguresScope, type Reader, type Source, scopeFragments, sourcesOf, unionAll } from "../scope";
import { mergedSketch } from "../uniques";
import type { LinkLeaders } from "./leaders";
import { compareLinks, type LinkRanking, type RankedLink } from "./link-ranking";
import type { LinkVisitors } from "./link-visitors";

/** How many times the requested number of links is examined first. */
const HEAD_FACTOR = 2;
const HEAD_MIN = 40;
/** At most this many links are looked up to find out which are the first. */
const CONTENDERS_MAX = 2_000;

export interface TopLinkRow {
  linkId: string;
  clicks: number;
}

export interface LeaderOptions {
  leaders: LinkLeaders;
  /** The number of leaders per day and hour. Tests lower it. */
  leadersMax?: number;
}

/**
 * Returns the most clicked links first, newer links first among equals. Links without a click in the range are left
 * out.
 */
export async function readTopLinks(
  sql: Reader,
  { leaders, leadersMax }: LeaderOptions,
  orgId: OrgId,
  scope: FiguresScope,
  limit: number,
): Promise<TopLinkRow[]> {
  const { ranking, parts } = await leaders.read(sql, orgId, scope, leadersMax);
  const { rest } = ranking;
  const inPartialHours = await readPartialHours(sql, orgId, scope);
  for (const { linkId, clicks } of inPartialHours) ranking.add(linkId, clicks);
  // A link that is nowhere a leader has at most the rest, plus its clicks in the partial hours.
  const first = await withoutBioPages(sql, orgId, ranking.inOrder(), limit);
  if (first.length === 0 && rest === 0) return [];
  const least = first.length < limit ? 0 : (first.at(-1)?.clicks ?? 0);
  if (rest > 0 && rest >= least) return readFromHead(sql, orgId, scope, limit);
  const contenders = contendersOf(ranking, least);
  const partly = contenders.flatMap(({ linkId, covered }) => (covered < rest ? [linkId] : []));
  if (partly.length === 0) return first;
  if (partly.length > CONTENDERS_MAX) return readFromHead(sql, orgId, scope, limit);
  const beneath = await leaders.readBeneath(sql, orgId, parts, partly, leadersMax);
  if (!beneath) return readFromHead(sql, orgId, scope, limit);
  const known = contenders.map((link) =>
    link.covered === rest ? link : { ...link, clicks: link.clicks + (beneath.get(link.linkId) ?? 0), covered: rest },
  );
  return withoutBioPages(sql, orgId, known.sort(compareLinks), limit);
}

/** Returns the links that may have at least `least` clicks. */
function contendersOf(ranking: LinkRanking, least: number): RankedLink[] {
  const contenders: RankedLink[] = [];
  for (const link of ranking.inOrder()) {
    if (link.clicks + ranking.rest < least) break;
    if (link.clicks + ranking.rest - link.covered >= least) contenders.push(link);
  }
  return contenders;
}

/** Does the same among the links that match these filters. Leaders cannot answer this. */
export async function readTopLinksAmong(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  limit: number,
  filters: Filters,
): Promise<TopLinkRow[]> {
  return [...(await readFromHead(sql, orgId, scope, limit, filters))];
}

/** Returns the first of these links, up to the limit. */
async function withoutBioPages(sql: Reader, orgId: OrgId, inOrder: Iterable<RankedLink>, limit: number) {
  const first: TopLinkRow[] = [];
  for (const some of inSteps(inOrder, Math.max(HEAD_MIN, HEAD_FACTOR * limit))) {
    const ids = `{${some.map(({ linkId }) => linkId).join(",")}}`;
    const pages = await sql<{ id: string }[]>`
      select link_id as id from bio_pages where org_id = ${orgId} and link_id = any(${ids}::text::uuid[])`;
    const bioPages = new Set(pages.map(({ id }) => id));
    for (const { linkId, clicks } of some) if (!bioPages.has(linkId)) first.push({ linkId, clicks });
    if (first.length >= limit) break;
  }
  return first.slice(0, limit);
}

/** Yields links in steps, up to the first link without clicks. */
function* inSteps(inOrder: Iterable<RankedLink>, step: number): Generator<RankedLink[]> {
  let some: RankedLink[] = [];
  for (const link of inOrder) {
    if (link.clicks <= 0) break;
    some.push(link);
    if (some.length < step) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

async function readPartialHours(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<TopLinkRow[]> {
  const { partialHourClicks } = scopeFragments(sql, orgId, scope);
  const rows = await sql<TopLinkRow[]>`
    select link_id as "linkId", sum(clicks)::float8 as clicks from (
      select null::uuid as link_id, 0::bigint as clicks where false
      ${unionAll(sql, partialHourClicks, (partialHour) => sql`select link_id, count(*) from clicks where ${partialHour} group by link_id`)}
    ) as counted group by 1`;
  return [...rows];
}

/**
 * Ranks links where leaders cannot decide, for example because all links have about the same number of clicks. A
 * link's clicks of all time bound its clicks in any range, so only few links have to be examined. The head comes
 * first: the links with the most clicks of all time. Among the best links found there, the last one sets the minimum
 * that any other link needs. Each link examined costs one lookup in the key of figures for each part of the range.
 */
function readFromHead(sql: Reader, orgId: OrgId, scope: FiguresScope, limit: number, filters: Filters = {}) {
  const clicks = clicksOf(sql, orgId, scope);
  const headSize = Math.max(HEAD_MIN, HEAD_FACTOR * limit);
  return sql<TopLinkRow[]>`
    with known as materialized (
      select link_id, sum(clicks) as ever, row_number() over (order by sum(clicks) desc, link_id) as place
      from link_counters
      where org_id = ${orgId} and not exists (
        select 1 from bio_pages where bio_pages.org_id = ${orgId} and bio_pages.link_id = link_counters.link_id)
        ${linkConditions(sql, orgId, filters, sql`link_counters.link_id`)}
      group by link_id having sum(clicks) > 0
    ), head as materialized (
      select link_id, ${clicks} as clicks from known as candidate where place <= ${headSize}
    ), bound as materialized (
      select coalesce((select clicks from head order by clicks desc offset ${limit - 1} limit 1), 0) as least
    ), others as materialized (
      select link_id, ${clicks} as clicks from known as candidate
      where place > ${headSize} and ever >= (select greatest(least, 1) from bound)
    )
    select link_id as "linkId", clicks::float8 as clicks
    from (select * from head union all select * from others) as links
    where clicks > 0 order by clicks desc, link_id desc limit ${limit}`;
}

/** Returns the clicks of these links in the range. */
export async function readClicksOf(
  sql: Reader,
  orgId: OrgId,
  scope: FiguresScope,
  linkIds: readonly string[],
): Promise<TopLinkRow[]> {
  const rows = await sql<TopLinkRow[]>`
    select link_id as "linkId", (${clicksOf(sql, orgId, scope)})::float8 as clicks
    from unnest(${arrayLiteral(linkIds)}::text::uuid[]) as candidate (link_id)`;
  return [...rows];
}

/** Sums the clicks of the row `candidate` over all parts of the range. */
function clicksOf(sql: Reader, orgId: OrgId, scope: FiguresScope): Fragment {
  const { partialHourClicks, ofHumansByKey } = scopeFragments(sql, orgId, scope);
  const whole = ({ figures, start, span }: Source) => sql`(
    select coalesce(sum(clicks), 0) from ${sql(figures)}
    where org_id = ${orgId} and link_id = candidate.link_id ${ofHumansByKey}
      and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)})`;
  const partialHour = (rows: Fragment) =>
    sql`(select count(*) from clicks where ${rows} and clicks.link_id = candidate.link_id)`;
  const parts = [...sourcesOf(scope.whole).map(whole), ...partialHourClicks.map(partialHour)];
  return parts.reduce<Fragment>((sum, part) => sql`${sum} + ${part}`, sql`0::numeric`);
}

/** Counts distinct visitors of each link over the whole range. */
export async function readLinkUniques(
  sql: Reader,
  visitors: LinkVisitors,
  orgId: OrgId,
  scope: FiguresScope,
  linkIds: string[],
): Promise<Map<string, number>> {
  if (linkIds.length === 0) return new Map();
  const [whole, partial] = await Promise.all([
    visitors.read(sql, orgId, scope, linkIds),
    partialHourVisitorsOf(sql, orgId, scope, linkIds),
  ]);
  const byLink = Map.groupBy(partial, ({ linkId }) => linkId);
  return new Map(
    linkIds.map((id) => {
      const inPartialHours = createSketch(PRECISION);
      for (const { visitor } of byLink.get(id) ?? []) addHash(inPartialHours, BigInt(visitor));
      return [id, estimate(mergedSketch([...(whole.get(id) ?? []), inPartialHours]))];
    }),
  );
}

function partialHourVisitorsOf(sql: Reader, orgId: OrgId, scope: FiguresScope, linkIds: string[]) {
  const { partialHourClicks } = scopeFragments(sql, orgId, scope);
  return sql<{ linkId: string; visitor: string }[]>`
    select null::uuid as "linkId", '' as visitor where false
    ${unionAll(
      sql,
      partialHourClicks,
      (partialHour) =>
        sql`select distinct link_id, visitor::text from clicks where ${partialHour} and link_id in ${sql(linkIds)}`,
    )}`;
}
