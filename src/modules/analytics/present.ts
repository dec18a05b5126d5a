/** Presents the figures of an overview in their wire format. */
import type { AnalyticsRange } from "@/contract/analytics/analytics";
import { BREAKDOWNS, type BreakdownName, type ListName, listsOf, OTHER_VALUE } from "@/contract/analytics/dimensions";
import { type AnalyticsOverview, FUNNEL_STAGES, OPEN_SOURCES } from "@/contract/analytics/overview";
import { PLATFORMS } from "@/contract/platforms";
import type { TimeRange } from "@/core/time/time-range";
import { REST_VALUE } from "@/figures/dimensions";
import type { FigureDimension } from "@/figures/keys";
import { type BreakdownRow, VALUES_MAX } from "@/figures/read/breakdowns";
import type { HourOfWeekRow } from "@/figures/read/hours-of-week";
import type { TagRow } from "@/figures/read/tags";
import { type BucketSources, bucketsOf } from "./buckets";

/** Figures from which the lists of an overview are built. */
export interface Lists {
  breakdowns: BreakdownRow[];
  /** Undefined if there were too many per-link figures to sum. */
  tags: TagRow[] | undefined;
  hoursOfWeek: HourOfWeekRow[];
}

export type OverviewFigures = BucketSources & Lists;

export function presentOverview(range: TimeRange, figures: OverviewFigures): AnalyticsOverview {
  const { series, breakdowns, uniques, events } = figures;
  const clicks = sum(series.map((bucket) => bucket.clicks));
  const opens = sum(series.map((bucket) => bucket.opens));
  const installs = sum([...figures.installs.values()]);
  const opensBy = (name: "open_platform" | "open_source") => valuesOf(breakdowns, name);
  return {
    range: presentRange(range),
    totalClicks: clicks,
    uniqueVisitors: Math.min(uniques.total, clicks),
    installs,
    opens,
    // A token belongs to one click and is claimed once.
    matchedInstalls: installs,
    byOpenSource: OPEN_SOURCES.map((source) => ({ source, count: countOf(opensBy("open_source"), source) })),
    byOpenPlatform: PLATFORMS.map((platform) => ({ platform, count: countOf(opensBy("open_platform"), platform) })),
    conversionFunnel: presentFunnel({ clicks, opens, installs, leads: events.leads, events: events.count }),
    timeseries: presentSeries(range, figures),
    ...presentLists(figures),
    eventValue: events.value,
    byEvent: events.byName,
    ...(figures.tags === undefined && { notKnown: ["byTag"] }),
  };
}

export function presentLists({ breakdowns, tags, hoursOfWeek }: Lists) {
  return {
    ...listsOf<Pick<AnalyticsOverview, ListName>>((by) =>
      presentValues(by, breakdowns, VALUES_MAX).map(({ name, ...rest }) => ({ [by]: name, ...rest })),
    ),
    ...(tags && { byTag: tags }),
    byHourOfWeek: hoursOfWeek,
  };
}

export function presentRange({ from, to, granularity }: TimeRange): AnalyticsRange {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), granularity };
}

function presentFunnel(counts: Record<(typeof FUNNEL_STAGES)[number], number>): AnalyticsOverview["conversionFunnel"] {
  return FUNNEL_STAGES.map((stage) => ({ stage, count: counts[stage], rate: rate(counts[stage], counts.clicks) }));
}

/** Returns the ratio rounded to four decimals, or 0 without clicks. */
function rate(count: number, clicks: number): number {
  return clicks === 0 ? 0 : Math.round((count / clicks) * 10_000) / 10_000;
}

function presentSeries(range: TimeRange, sources: BucketSources): AnalyticsOverview["timeseries"] {
  return bucketsOf(range, sources).map(({ eventValue, ...bucket }) => bucket);
}

const valuesOf = (rows: BreakdownRow[], dimension: FigureDimension) =>
  rows.filter((row) => row.dimension === dimension);

interface PresentedValue {
  name: string;
  count: number;
  /** Set for the row that sums all values not counted separately. */
  isOther?: true;
}

/**
 * Returns the first `max` values of a list, each name once, as filters have it: a value may be spelled like the name of
 * the missing ones, and all deleted domains have only that name.
 */
export function presentValues(by: BreakdownName, rows: readonly BreakdownRow[], max: number): PresentedValue[] {
  const values = new Map<string, PresentedValue>();
  for (const row of rows) {
    if (row.dimension !== by) continue;
    const isOther = row.value === REST_VALUE;
    const name = isOther ? OTHER_VALUE : row.name || BREAKDOWNS[by].blank;
    const key = `${isOther} ${name}`;
    const count = row.count + (values.get(key)?.count ?? 0);
    values.set(key, { name, count, ...(isOther && { isOther }) });
  }
  return [...values.values()].sort((a, b) => b.count - a.count).slice(0, max);
}

const countOf = (rows: BreakdownRow[], value: string) => rows.find((row) => row.value === value)?.count ?? 0;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
