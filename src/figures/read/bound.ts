/**
 * Decides whether figures may be counted from raw clicks: every click of the range must still exist, and there may be
 * at most `LOOKED_AT_MAX` of them, because each is examined. Rollups show both in advance.
 */
import { DAY_MS, HOUR_MS, type Span } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { MatchingQuery } from "./matching";
import { type FiguresScope, PEOPLE_BY_KEY, partsOf, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

const LOOKED_AT_MAX = 3_000_000;

type Looked = Pick<MatchingQuery, "orgId" | "range" | "includeBots">;

/** Returns why this range cannot be counted from raw clicks and what to request instead; undefined if it can. */
export async function boundFault(sql: Reader, looked: Looked, max = LOOKED_AT_MAX): Promise<string | undefined> {
  return (await deletedFault(sql, looked)) ?? (await countFault(sql, looked, max));
}

/**
 * Retention deletes raw clicks and keeps figures: where figures before its cutoff count any clicks, clicks are
 * missing.
 */
async function deletedFault(sql: Reader, { orgId, range, includeBots }: Looked): Promise<string | undefined> {
  const fromHour = new Date(startOfHour(range.from));
  const [deleted] = await sql<{ keptFrom: number }[]>`
    select extract(epoch from kept_from)::float8 * 1000 as "keptFrom"
    from raw_retention kept join figures_hourly figures on figures.org_id = kept.org_id
    where kept.org_id = ${orgId} and kept_from > ${new Date(range.from)} and link_id = ${WHOLE_ORGANIZATION}
      and hour >= ${fromHour} and hour < ${new Date(range.to)} and hour < kept_from
      ${includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`}
    group by kept_from having sum(clicks) > 0`;
  if (!deleted) return undefined;
  const keptFrom = new Date(deleted.keptFrom).toISOString();
  return `from: filters search individual clicks, and those before ${keptFrom} have been deleted; use ${keptFrom} or later`;
}

async function countFault(sql: Reader, looked: Looked, max: number): Promise<string | undefined> {
  const clicks = await countStored(sql, looked);
  if (clicks <= max) return undefined;
  const advice = rangeAdvice(looked.range, max / clicks);
  return `from: filters can search at most ${max} clicks, and this range has ${clicks}; ${advice}`;
}

/** Counts the clicks in all hours that the range touches. */
async function countStored(sql: Reader, { orgId, range, includeBots }: Looked): Promise<number> {
  const hours = { ...range, from: startOfHour(range.from), to: Math.ceil(range.to / HOUR_MS) * HOUR_MS };
  const scope: FiguresScope = { includeBots, ...partsOf(hours, Number.POSITIVE_INFINITY) };
  const { figuresIn } = scopeFragments(sql, orgId, scope);
  const [row] = await sql<{ clicks: number }[]>`
    select sum(clicks)::float8 as clicks from (
      select 0::bigint as clicks
      ${unionAll(
        sql,
        sourcesOf(scope.whole),
        (source) => sql`select clicks from ${sql(source.figures)} where ${figuresIn(source)}`,
      )}
    ) as figures`;
  return row?.clicks ?? 0;
}

const startOfHour = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Says to request as many days, or else hours, as have about `share` of what the range has, and one at least. */
export function rangeAdvice({ from, to }: Span, share: number): string {
  const ms = (to - from) * share;
  const [count, unit] = ms >= DAY_MS ? [Math.floor(ms / DAY_MS), "day"] : [Math.floor(ms / HOUR_MS), "hour"];
  return `request at most ${Math.max(1, count)} ${count > 1 ? `${unit}s` : unit}`;
}
