/**
 * What all queries of an overview share: whose figures, of which link, humans alone or bots too, and the pieces of SQL
 * that say so.
 *
 * Figures are read by the front of their key: the organization, the link or the whole, and a span of time.
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

/** What queries read through: the pool, or a transaction on it. */
export type Reader = ISql;

export interface FiguresScope {
  linkId?: string;
  includeBots: boolean;
  granularity: TimeRange["granularity"];
  /** For figures over the whole range. */
  whole: WholeSpans;
  /** The same time for figures by bucket; where buckets are hours, it has no days. */
  buckets: WholeSpans;
  /** What raw rows are asked about. */
  partialHours: Span[];
}

/**
 * Of people, in figures of links that are named: not in the words of the partial index of ranges, in which Postgres 18 would
 * rather skip from day to day than go along the key of each link.
 */
export const PEOPLE_BY_KEY = "is_bot is not true";

/** The parts of a range that the sources of figures know. */
export function partsOf(
  range: TimeRange,
  now: number,
): Pick<FiguresScope, "granularity" | "whole" | "buckets" | "partialHours"> {
  const { granularity } = range;
  const { hours, partialHours } = divideRange(range, now);
  const whole = divideHours(hours, now);
  return { granularity, whole, buckets: granularity === "day" ? whole : withoutDays(hours), partialHours };
}

/** A part of the range that figures know, and where. */
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

/** One for each span, so that each is one index scan. */
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
    /** Raw rows at the range's ends; one fragment an end, so that each is one index scan. */
    partialHourClicks: ofPartialHours.map((partialHour) => sql`${partialHour} ${ofHumans} and ${sql.unsafe(COUNTED)}`),
    partialHourEvents: ofPartialHours,
    bucketOf: (column: TimeColumn) =>
      sql`date_bin(${`${bucketMs(granularity)} milliseconds`}::interval, ${sql(column)}, 'epoch')`,
  };
}

/** One more branch of a union for each part. (An empty list of fragments would be taken for a parameter.) */
export function unionAll<Part>(sql: Reader, parts: readonly Part[], branch: (part: Part) => Fragment): Fragment {
  return parts.reduce<Fragment>((branches, part) => sql`${branches} union all ${branch(part)}`, sql``);
}

type TimeColumn = "day" | "hour" | "occurred_at";

function within(sql: Reader, column: TimeColumn, { from, to }: Span): Fragment {
  return sql`${sql(column)} >= ${new Date(from)} and ${sql(column)} < ${new Date(to)}`;
}
