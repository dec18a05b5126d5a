/** Computes how often clicks turn into the conversions that a goal is measured by. */
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { RatioDay } from "../insights/statistics/ratio-test";
import { interval, percent } from "../insights/words";
import { plural } from "../plural";
import { countOfMeasure, type Intent } from "./intents";
import { type MeasuredShare, meanOf, shareOf } from "./intervals";

/** Fewer clicks say nothing about shares. */
export const CLICKS_MIN = 100;
/** Fewer conversions say nothing about rates. */
export const CONVERSIONS_MIN = 5;

/**
 * Returns a share for installs and leads, of which a click has at most one, and a mean for events and opens, which
 * can be several per click or without any click.
 */
function conversionRate({ measure }: Intent, conversions: number, clicks: number): MeasuredShare | undefined {
  switch (measure) {
    case "click":
      return undefined;
    case "install":
    case "lead":
      return shareOf(conversions, clicks) ?? meanOf(conversions, clicks);
    case "open":
    case "event":
      return meanOf(conversions, clicks);
    default:
      return measure satisfies never;
  }
}

/** Returns undefined if there are too few clicks or conversions for a rate. */
export function rateOf(intent: Intent, overview: AnalyticsOverview): MeasuredShare | undefined {
  const conversions = countOfMeasure(intent, overview);
  if (overview.totalClicks < CLICKS_MIN || conversions < CONVERSIONS_MIN) return undefined;
  return conversionRate(intent, conversions, overview.totalClicks);
}

const METRICS = { click: "clicks", install: "installs", lead: "leads", event: "events", open: "opens" } as const;

/** Returns the days of the overview with their conversions and clicks. */
export const daysOfMeasure = ({ measure }: Intent, { timeseries }: AnalyticsOverview): RatioDay[] =>
  timeseries.map((bucket) => ({ count: bucket[METRICS[measure]], of: bucket.clicks }));

/** Returns `7% of the clicks (95% interval 5.2 to 9.3%)`, or `0.25 a click (95% interval 0.22 to 0.28)` for a mean. */
export function rateWords(rate: MeasuredShare): string {
  if (!rate.isMean) return `${percent(rate.value)} of the clicks (${interval(rate)})`;
  return `${decimal(rate.value)} a click (95% interval ${decimal(rate.low)} to ${decimal(rate.high)})`;
}

const decimal = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 2 });

/** Returns `Email: 42 installs from 600 clicks, 7% of the clicks (…)`, or only the counts without a rate. */
export function rateSentence(
  name: string,
  noun: string,
  { clicks, conversions, rate }: { clicks: number; conversions: number; rate: MeasuredShare | undefined },
): string {
  const counts = `${name}: ${plural(conversions, noun)} from ${plural(clicks, "click")}`;
  return rate ? `${counts}, ${rateWords(rate)}` : counts;
}
