/**
 * Decides whether figures may be counted from raw clicks: every click of the range must still exist, and there may be
 * at most `LOOKED_AT_MAX` of them, because each is examined. Rollups show both in advance.
 */
import { DAY_MS, divideHours, HOUR_MS, type Span } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { MatchingQuery } from "./matching";
import { PEOPLE_BY_KEY, type Reader, sourcesOf, unionAll, within } from "./scope";

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
  const fromHour = new Date(range.from - (range.from % HOUR_MS));
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
  const hours = {
    from: Math.floor(range.from / HOUR_MS) * HOUR_MS,
    to: Math.ceil(range.to / HOUR_MS) * HOUR_MS,
  };
  const whole = divideHours(hours, Number.POSITIVE_INFINITY);
  const ofHumans = includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`;
  const [row] = await sql<{ clicks: number }[]>`
    select coalesce(sum(clicks), 0)::float8 as clicks from (
      select 0::bigint as clicks ${unionAll(
        sql,
        sourcesOf(whole),
        ({ figures, start, span }) => sql`
          select clicks from ${sql(figures)} where org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION}
            and ${within(sql, start, span)} ${ofHumans}`,
      )}) as stored`;
  return row?.clicks ?? 0;
}

/** Says to request as many days, or else hours, as have about `share` of what the range has, and one at least. */
export function rangeAdvice({ from, to }: Span, share: number): string {
  const ms = (to - from) * share;
  const [count, unit] = ms >= DAY_MS ? [Math.floor(ms / DAY_MS), "day"] : [Math.floor(ms / HOUR_MS), "hour"];
  return `request at most ${Math.max(1, count)} ${count > 1 ? `${unit}s` : unit}`;
}
