/**
 * Computes figures of filtered clicks from the raw rows: exact, but the time grows with the number of clicks to
 * examine. `bound` decides in advance whether that is allowed.
 */
import type { Fragment } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { DerivedName } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import type { TimeRange } from "@/core/time/time-range";
import { COUNTED } from "@/platform/db/figure-constants";
import { CLICK_DIMENSIONS, type ClickDimension, valueInSql } from "../dimensions";
import type { BreakdownRow } from "./breakdowns";
import { filterConditions } from "./filters";
import { type HourOfWeekRow, hourOfWeekInSql, hoursOf } from "./hours-of-week";
import type { Reader } from "./scope";
import type { TagRow } from "./tags";

const WORK_MEMORY = "64MB";

export interface MatchingQuery {
  orgId: OrgId;
  range: TimeRange;
  includeBots: boolean;
  filters: Filters;
}

/** What clicks can be broken down by. */
export type CountedBy = ClickDimension | DerivedName;

export interface MatchingLink {
  linkId: string;
  clicks: number;
  uniqueVisitors: number;
}

export interface MatchingFigures {
  clicks: number;
  uniqueVisitors: number;
  /** By start of the bucket; buckets without clicks are absent. */
  buckets: ReadonlyMap<number, { clicks: number; uniqueVisitors: number }>;
  breakdowns: BreakdownRow[];
  tags: TagRow[];
  hoursOfWeek: HourOfWeekRow[];
}

/** `by` lists the breakdowns to compute, each with up to `max` values and one more, as `readBreakdowns` returns. */
export async function readMatching(
  sql: Reader,
  matching: MatchingQuery,
  by: readonly CountedBy[],
  max: number,
): Promise<MatchingFigures> {
  await planFor(sql);
  const dimensions = by.filter(isDimension);
  const rows = await selectMatching(sql, matching, { dimensions, by, max });
  const figures: Putting = {
    ...{ clicks: 0, uniqueVisitors: 0, buckets: new Map() },
    ...{ breakdowns: [], tags: [], hoursOfWeek: [] },
  };
  for (const row of rows) put(figures, row, dimensions);
  return { ...figures, hoursOfWeek: hoursOf(figures.hoursOfWeek) };
}

/** Sets the planner's options, and memory enough for grouping, until the end of the transaction. */
const planFor = (sql: Reader) => sql`
  select set_config('work_mem', ${WORK_MEMORY}, true), set_config('jit', 'off', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`;

export const isDimension = (name: CountedBy): name is ClickDimension => name in CLICK_DIMENSIONS;

/** Figures that rows are still being added to. */
type Putting = MatchingFigures & { buckets: Map<number, { clicks: number; uniqueVisitors: number }> };

function put(figures: Putting, row: Row, dimensions: readonly ClickDimension[]): void {
  const { kind, at, dimension, value, name, clicks, visitors } = row;
  switch (kind) {
    case "total":
      Object.assign(figures, { clicks, uniqueVisitors: visitors });
      break;
    case "bucket":
      figures.buckets.set(at, { clicks, uniqueVisitors: visitors });
      break;
    case "hour":
      figures.hoursOfWeek.push({ hourOfWeek: at, count: clicks });
      break;
    case "tag":
      figures.tags.push({ tag: value, count: clicks });
      break;
    default: {
      const of = dimensions[dimension];
      if (of) figures.breakdowns.push({ dimension: of, value, name, count: clicks });
    }
  }
}

interface Row {
  kind: "total" | "bucket" | "hour" | "tag" | "value";
  /** The start of the bucket, or the hour of the week. */
  at: number;
  /** The index of the dimension among those requested. */
  dimension: number;
  value: string;
  name: string;
  clicks: number;
  visitors: number;
}

interface Asked {
  dimensions: readonly ClickDimension[];
  by: readonly CountedBy[];
  max: number;
}

function selectMatching(sql: Reader, matching: MatchingQuery, { dimensions, by, max }: Asked) {
  const { orgId, range } = matching;
  const unit = range.granularity;
  const columns = [
    ...dimensions.map((name, place) => `${valueInSql(name)} as d${place}`),
    ...(by.includes("hourOfWeek") ? [`${hourOfWeekInSql("occurred_at")} as hour_of_week`] : []),
    ...(by.includes("tag") ? ["link_id"] : []),
  ].map((column) => `, ${column}`);
  return sql<Row[]>`
    with matched as materialized (
      select visitor, date_trunc(${unit}, occurred_at, 'UTC') as bucket ${sql.unsafe(columns.join(""))} from clicks
      where ${matchedBy(sql, matching)}
    )
    select 'total' as kind, 0::float8 as at, 0 as dimension, '' as value, '' as name,
      coalesce(sum(clicks), 0)::float8 as clicks, count(*)::float8 as visitors
    from (select visitor, count(*) as clicks from matched group by visitor) as visitors
    union all
    select 'bucket', extract(epoch from bucket)::float8 * 1000, 0, '', '', sum(clicks)::float8, count(*)::float8
    from (select bucket, visitor, count(*) as clicks from matched group by bucket, visitor) as visitors group by bucket
    ${by.includes("hourOfWeek") ? sql`union all select 'hour', hour_of_week, 0, '', '', count(*)::float8, 0 from matched group by hour_of_week` : sql``}
    ${by.includes("tag") ? sql`union all ${tagsOf(sql, orgId, max)}` : sql``}
    ${dimensions.length === 0 ? sql`` : sql`union all ${sql.unsafe(valuesOf(dimensions, max + 1))}`}`;
}

const matchedBy = (sql: Reader, { orgId, range, includeBots, filters }: MatchingQuery): Fragment => sql`
  org_id = ${orgId} and occurred_at >= ${new Date(range.from)} and occurred_at < ${new Date(range.to)}
  ${includeBots ? sql`` : sql`and not is_bot`} and ${sql.unsafe(COUNTED)} ${filterConditions(sql, orgId, filters)}`;

/** Returns the links (no bio pages) with the most matching clicks, newer links first among equals. */
export async function readMatchingLinks(sql: Reader, matching: MatchingQuery, limit: number) {
  await planFor(sql);
  return sql<MatchingLink[]>`
    select link_id as "linkId", sum(clicks)::float8 as clicks, count(*)::float8 as "uniqueVisitors"
    from (
      select link_id, visitor, count(*) as clicks from clicks where ${matchedBy(sql, matching)} group by link_id, visitor
    ) as visitors
    where not exists (
      select 1 from bio_pages where bio_pages.org_id = ${matching.orgId} and bio_pages.link_id = visitors.link_id)
    group by link_id order by sum(clicks) desc, link_id desc limit ${limit}`;
}

const tagsOf = (sql: Reader, orgId: OrgId, max: number): Fragment => sql`
  (select 'tag', 0, 0, tag, '', sum(clicks)::float8, 0
  from (select link_id, count(*) as clicks from matched group by link_id) as links
  join link_tags on link_tags.org_id = ${orgId} and link_tags.link_id = links.link_id
  group by tag order by sum(clicks) desc, tag collate "C" limit ${max})`;

/** Selects the most frequent values of each dimension. */
function valuesOf(by: readonly ClickDimension[], max: number): string {
  const columns = by.map((_, place) => `d${place}`);
  const sets = columns.map((column) => `(${column})`).join(", ");
  const all = columns.join(", ");
  // In the result of `grouping`, the bit of the column that is grouped by is 0; the first column has the highest bit.
  const dimension = `case grouping(${all}) ${columns
    .map((_, place) => `when ${2 ** columns.length - 1 - 2 ** (columns.length - 1 - place)} then ${place}`)
    .join(" ")} end`;
  const domain = by.indexOf("domain");
  return `
    (select 'value', 0, dimension, value,
      case when dimension = ${domain} then coalesce(hostname, '') else value end, clicks::float8, 0
    from (
      select *, row_number() over (partition by dimension order by clicks desc, value collate "C") as place
      from (
        select ${dimension} as dimension, coalesce(${all}) as value, count(*) as clicks
        from matched group by grouping sets (${sets})
      ) as counted
    ) as ranked left join domains on domains.id = case when dimension = ${domain} then nullif(value, '')::uuid end
    where place <= ${Math.floor(max)} order by dimension, place)`;
}
