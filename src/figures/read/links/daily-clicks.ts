/**
 * Human clicks of several links by day. A link that leads a day is among the cached leaders. Only the other days are
 * read, for each link in runs, because the figures of a link are adjacent in the primary key: with a join of a
 * hundred links, Postgres would read the figures of all links.
 */
import type { Fragment } from "postgres";
import type { OrgId } from "@/core/ids";
import { DAY_MS, type Span } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import { PEOPLE_BY_KEY, type Reader } from "../scope";
import { listIdOf } from "./click-list";
import { mayHaveUnlistedClicks } from "./leaders";
import type { LeaderOptions } from "./top-links";

/** Runs that are no further apart than this are read as one. */
const GAP_MS_MAX = 3 * DAY_MS;

/** By link and start of the day; days without clicks may be absent. */
export type DailyClicks = Map<string, Map<number, number>>;

/** `days` must be whole days. */
export async function readDailyClicks(
  sql: Reader,
  { leaders, leadersMax }: LeaderOptions,
  orgId: OrgId,
  linkIds: readonly string[],
  days: Span,
): Promise<DailyClicks> {
  const known = await leaders.keptDays(sql, orgId, days, leadersMax);
  const clicks: DailyClicks = new Map();
  const runs: Run[] = [];
  for (const linkId of new Set(linkIds)) {
    const id = listIdOf(linkId);
    const counted = new Map<number, number>();
    const unknown: number[] = [];
    for (const { start, leaders: led } of known) {
      if (mayHaveUnlistedClicks(led, id)) unknown.push(start);
      else counted.set(start, led?.links.find(id) ?? 0);
    }
    clicks.set(linkId, counted);
    runs.push(...runsOf(linkId, unknown));
  }
  for (const { linkId, starts, counts } of await readRuns(sql, orgId, runs)) {
    for (const [start, count] of byDay(starts, counts)) clicks.get(linkId)?.set(start, count);
  }
  return clicks;
}

/**
 * Returns the clicks of those links that belong to the organization, deleted ones included, in one statement. A link
 * without clicks has no days.
 */
export async function readTrends(
  sql: Reader,
  orgId: OrgId,
  linkIds: readonly string[],
  days: Span,
): Promise<DailyClicks> {
  const figures = daysOf(sql, orgId, sql`links.id`, sql`${new Date(days.from)}`, sql`${new Date(days.to)}`);
  const rows = await sql<{ linkId: string; starts: string | null; counts: string | null }[]>`
    select links.id as "linkId", starts, counts from links cross join lateral (${figures}) as figures
    where links.org_id = ${orgId} and links.id = any(${arrayLiteral(linkIds)}::text::uuid[])`;
  return new Map(rows.map(({ linkId, starts, counts }) => [linkId, byDay(starts ?? "", counts ?? "")]));
}

interface Run extends Span {
  linkId: string;
}

/** `days` must be in time order. */
function runsOf(linkId: string, days: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last && day - last.to <= GAP_MS_MAX) last.to = day + DAY_MS;
    else runs.push({ linkId, from: day, to: day + DAY_MS });
  }
  return runs;
}

async function readRuns(sql: Reader, orgId: OrgId, runs: readonly Run[]) {
  if (runs.length === 0) return [];
  const instants = (times: readonly number[]) => arrayLiteral(times.map((time) => new Date(time).toISOString()));
  return sql<{ linkId: string; starts: string; counts: string }[]>`
    select asked.id as "linkId", starts, counts
    from unnest(
      ${arrayLiteral(runs.map(({ linkId }) => linkId))}::text::uuid[],
      ${instants(runs.map(({ from }) => from))}::text::timestamptz[],
      ${instants(runs.map(({ to }) => to))}::text::timestamptz[]
    ) as asked (id, starting, ending) cross join lateral (
      ${daysOf(sql, orgId, sql`asked.id`, sql`asked.starting`, sql`asked.ending`)}
    ) as figures where starts is not null`;
}

/** Aggregates the days of a link into one row, because receiving a row for each day would cost more than finding it. */
const daysOf = (sql: Reader, orgId: OrgId, linkId: Fragment, from: Fragment, to: Fragment): Fragment => sql`
  select string_agg(start::text, ',') as starts, string_agg(clicks::text, ',') as counts from (
    select date_part('epoch', day) * 1000 as start, sum(clicks) as clicks from figures_daily
    where org_id = ${orgId} and link_id = ${linkId} and day >= ${from} and day < ${to}
      and ${sql.unsafe(PEOPLE_BY_KEY)}
    group by day
  ) as days`;

function byDay(starts: string, counts: string): Map<number, number> {
  if (starts === "") return new Map();
  const ofDays = counts.split(",");
  return new Map(starts.split(",").map((start, place) => [Number(start), Number(ofDays[place])]));
}
