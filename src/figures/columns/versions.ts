/**
 * Versions of hours and days. Whatever changes which clicks count there, or how, changes the figures of the whole
 * organization in the same transaction, and so the `xmin`, `ctid` and `revision` of their rows. `xmin` and `ctid` are
 * unique only within one history of the database: in a restored one they may belong to another row. `revision`
 * survives a restore, but servers of a former release do not renew it. Without figures there are no clicks. Only
 * retention deletes clicks and keeps figures.
 */
import type { Span } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { Reader } from "../read/scope";
import { COLUMNS_FORMAT } from "./click-columns";

export interface UnitVersion {
  /** Unix milliseconds. */
  start: number;
  version: string;
  /** Clicks of people and bots together. */
  clicks: number;
}

const LEVELS = { day: "figures_daily", hour: "figures_hourly" } as const;
export type UnitLevel = keyof typeof LEVELS;

/** An aggregate over the rows of a whole organization in one hour or day. */
export const VERSION_IN_SQL = `'${COLUMNS_FORMAT} ' || sum(clicks) || ' ' || string_agg(
  case when is_bot then 'b' else 'p' end || writer || '.' || xmin::text || ctid::text || coalesce('.' || revision, ''),
  ' ' order by is_bot, writer)`;

/** Returns the versions within the span in time order, for the hours or days that have figures. */
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
