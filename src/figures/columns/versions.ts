/**
 * The versions of hours and days: whatever changes which clicks count there, and as whose, changes the figures of the whole
 * organization in the same transaction, and so the `xmin`, `ctid` and `revision` of their rows. The first two are known in one
 * history of the database alone: in a restored one they may be of another row. The last stays what it is, though servers of a
 * former release do not renew it. Without figures there are no clicks. Only retention takes clicks and leaves figures.
 */
import type { Span } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { Reader } from "../read/scope";
import { COLUMNS_FORMAT } from "./click-columns";

export interface UnitVersion {
  /** Unix milliseconds. */
  start: number;
  version: string;
  /** Of people and of bots. */
  clicks: number;
}

const LEVELS = { day: "figures_daily", hour: "figures_hourly" } as const;
export type UnitLevel = keyof typeof LEVELS;

/** An aggregate over the rows of one hour or day of a whole organization. */
export const VERSION_IN_SQL = `'${COLUMNS_FORMAT} ' || sum(clicks) || ' ' || string_agg(
  case when is_bot then 'b' else 'p' end || writer || '.' || xmin::text || ctid::text || coalesce('.' || revision, ''),
  ' ' order by is_bot, writer)`;

/** Those of the span in the order of time, where there are figures of clicks. */
export async function readVersions(sql: Reader, orgId: string, level: UnitLevel, { from, to }: Span) {
  if (from >= to) return [];
  const rows = await sql<UnitVersion[]>`
    select extract(epoch from ${sql(level)})::float8 * 1000 as start, ${sql.unsafe(VERSION_IN_SQL)} as version,
      sum(clicks)::float8 as clicks
    from ${sql(LEVELS[level])}
    where org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION}
      and ${sql(level)} >= ${new Date(from)} and ${sql(level)} < ${new Date(to)}
    group by ${sql(level)} order by ${sql(level)}`;
  return [...rows];
}
