/**
 * What all queries of an overview share: the organization, the link, whether bots are included, and the pieces of SQL
 * that select them.
 *
 * Figures are read by the leading columns of their key: the organization, the link (or the whole organization), and a
 * span of time.
 */
import type { Fragment, ISql } from "postgres";
import type { OrgId } from "@/core/ids";
import {
  bucketMs,
  divideHours,
  divideRange,
  type Span,
  type TimeRange,
  type WholeSpans,
  withoutDays,
} from "@/core/time/time-range";
import { COUNTED, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";

/** What queries run on: the pool, or a transaction on it. */
export type Reader = ISql;

export interface FiguresScope {
  linkId?: string;
  includeBots: boolean;
  granularity: TimeRange["granularity"];
  /** For figures over the whole range. */
  whole: WholeSpans;
  /** The same time for figures by bucket; where buckets are hours, it has no days. */
  buckets: WholeSpans;
  /** The spans for which raw rows are read. */
  partialHours: Span[];
}

/**
 * Selects people in the figures of given links. Its wording differs on purpose from the partial index of ranges: with
 * that index, Postgres 18 would skip from day to day instead of following the key of each link.
 */
export const PEOPLE_BY_KEY = "is_bot is not true";

/** Divides a range into the parts that the sources of figures cover. */
export function partsOf(
  range: TimeRange,
  now: number,
): Pick<FiguresScope, "granularity" | "whole" | "buckets" | "partialHours"> {
  const { granularity } = range;
  const { hours, partialHours } = divideRange(range, now);
  const whole = divideHours(hours, now);
  return { granularity, whole, buckets: granularity === "day" ? whole : withoutDays(hours), partialHours };
}

/** A part of the range, and the tables that cover it. */
export interface Source {
  figures: "figures_daily" | "figures_hourly";
  events: "event_rollups_daily" | "event_rollups_hourly";
  start: "day" | "hour";
  span: Span;
}

const DAILY = {
  figures: "figures_daily",
  events: "event_rollups_daily",
  start: "day",
} as const;
const HOURLY = {
  figures: "figures_hourly",
  events: "event_rollups_hourly",
  start: "hour",
} as const;

/** Returns one source for each span, so that each is one index scan. */
export function sourcesOf({ days, hours }: WholeSpans): Source[] {
  return [...(days.from < days.to ? [{ ...DAILY, span: days }] : []), ...hours.map((span) => ({ ...HOURLY, span }))];
}

export function scopeFragments(sql: Reader, orgId: OrgId, scope: FiguresScope) {
  const { linkId, includeBots, granularity, partialHours } = scope;
  const ofTenant = sql`org_id = ${orgId}`;
  const ofLink = linkId === undefined ? sql`` : sql`and link_id = ${linkId}`;
  const ofWhom = sql`${ofTenant} and link_id = ${linkId ?? WHOLE_ORGANIZATION}`;
  const ofHumans = includeBots ? sql`` : sql`and not is_bot`;
  const ofHumansByKey = includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`;
  const ofPartialHours = partialHours.map(
    (partialHour) => sql`${ofTenant} ${ofLink} and ${within(sql, "occurred_at", partialHour)}`,
  );
  return {
    ofHumans,
    ofHumansByKey,
    figuresIn: ({ start, span }: Source) => sql`${ofWhom} and ${within(sql, start, span)} ${ofHumansByKey}`,
    eventsIn: ({ start, span }: Source) => sql`${ofWhom} and ${within(sql, start, span)}`,
    /** Raw rows at the ends of the range: one fragment for each end, so that each is one index scan. */
    partialHourClicks: ofPartialHours.map((partialHour) => sql`${partialHour} ${ofHumans} and ${sql.unsafe(COUNTED)}`),
    partialHourEvents: ofPartialHours,
    bucketOf: (column: TimeColumn) =>
      sql`date_bin(${`${bucketMs(granularity)} milliseconds`}::interval, ${sql(column)}, 'epoch')`,
  };
}

/** Appends a branch to a union for each part. (An empty list of fragments would be taken for a parameter.) */
export function unionAll<Part>(sql: Reader, parts: readonly Part[], branch: (part: Part) => Fragment): Fragment {
  return parts.reduce<Fragment>((branches, part) => sql`${branches} union all ${branch(part)}`, sql``);
}

type TimeColumn = "day" | "hour" | "occurred_at";

function within(sql: Reader, column: TimeColumn, { from, to }: Span): Fragment {
  return sql`${sql(column)} >= ${new Date(from)} and ${sql(column)} < ${new Date(to)}`;
}
