/** The figures of an overview as the wire shows them. */
import {
  type AnalyticsOverview,
  type AnalyticsRange,
  FUNNEL_STAGES,
  NO_REFERRER,
  OPEN_SOURCES,
  UNKNOWN_VALUE,
} from "@/contract/analytics";
import { PLATFORMS } from "@/contract/routing";
import type { TimeRange } from "@/core/time-range";
import type { RollupDimension } from "@/platform/db/schema/clicks";
import { type BucketSources, bucketsOf } from "./buckets";
import type { BreakdownRow } from "./queries/breakdowns";

export interface OverviewFigures extends BucketSources {
  breakdowns: BreakdownRow[];
}

export function presentOverview(range: TimeRange, figures: OverviewFigures): AnalyticsOverview {
  const { series, breakdowns, uniques, events } = figures;
  const clicks = sum(series.map((bucket) => bucket.clicks));
  const opens = sum(series.map((bucket) => bucket.opens));
  const installs = sum([...figures.installs.values()]);
  const clicksBy = (dimension: RollupDimension) => valuesOf(breakdowns, "clicks", dimension);
  const opensBy = (dimension: RollupDimension) => valuesOf(breakdowns, "opens", dimension);
  return {
    range: presentRange(range),
    totalClicks: clicks,
    uniqueVisitors: uniques.total,
    installs,
    opens,
    // A token stands for one click and is claimed once.
    matchedInstalls: installs,
    byOpenSource: OPEN_SOURCES.map((source) => ({ source, count: countOf(opensBy("source"), source) })),
    byOpenPlatform: PLATFORMS.map((platform) => ({ platform, count: countOf(opensBy("platform"), platform) })),
    conversionFunnel: presentFunnel({ clicks, opens, installs, leads: events.leads, events: events.count }),
    timeseries: presentSeries(range, figures),
    byCountry: clicksBy("country").map(({ value, count }) => ({ country: named(value), count })),
    byCity: clicksBy("city").map(({ value, count }) => ({ city: named(value), count })),
    byDevice: clicksBy("device").map(({ value, count }) => ({ device: named(value), count })),
    byBrowser: clicksBy("browser").map(({ value, count }) => ({ browser: named(value), count })),
    byOs: clicksBy("os").map(({ value, count }) => ({ os: named(value), count })),
    byReferrer: clicksBy("referrer").map(({ value, count }) => ({ referrer: named(value, NO_REFERRER), count })),
    byLanguage: clicksBy("language").map(({ value, count }) => ({ language: named(value), count })),
    eventValue: events.value,
    byEvent: events.byName,
  };
}

export function presentRange({ from, to, granularity }: TimeRange): AnalyticsRange {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), granularity };
}

function presentFunnel(counts: Record<(typeof FUNNEL_STAGES)[number], number>): AnalyticsOverview["conversionFunnel"] {
  return FUNNEL_STAGES.map((stage) => ({ stage, count: counts[stage], rate: rate(counts[stage], counts.clicks) }));
}

/** To four decimals; 0 without clicks. */
function rate(count: number, clicks: number): number {
  return clicks === 0 ? 0 : Math.round((count / clicks) * 10_000) / 10_000;
}

function presentSeries(range: TimeRange, sources: BucketSources): AnalyticsOverview["timeseries"] {
  return bucketsOf(range, sources).map(({ eventValue, ...bucket }) => bucket);
}

const valuesOf = (rows: BreakdownRow[], kind: BreakdownRow["kind"], dimension: RollupDimension) =>
  rows.filter((row) => row.kind === kind && row.dimension === dimension);

const countOf = (rows: BreakdownRow[], value: string) => rows.find((row) => row.value === value)?.count ?? 0;
const named = (value: string, unnamed: string = UNKNOWN_VALUE) => (value === "" ? unnamed : value);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
