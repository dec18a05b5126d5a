/** Insights from the clicks themselves: where they come from, when, and whether they rise or fall. */
import { number, plural } from "../plural";
import type { InsightCheck } from "./campaign-insights";
import { rankSumTest, seasonalTrend } from "./statistics/rank-tests";
import { wilson } from "./statistics/rates";
import { median } from "./statistics/robust";
import { chance, interval, nameOf, percent } from "./words";

const CONCENTRATED = 0.6;
const BOTS = 0.3;
const COUNTRY = 0.4;
/** In less than three weeks, there are too few days of each weekday to compare it with itself. */
export const TREND_DAYS_MIN = 21;
const WEEKS_MIN = 4;
const LEVEL = 0.01;
/** Relative to the median day: smaller changes over the range, or smaller weekday peaks, are not worth acting on. */
const CHANGE_MIN = 0.2;
const WEEKDAY_MIN = 1.3;

const concentration: InsightCheck = ({ links, totals, linksTotal, isOfLink }) => {
  const [first] = links;
  if (isOfLink || !first || linksTotal < 2) return [];
  const range = wilson(Math.min(first.clicks, totals.clicks), totals.clicks);
  if (range.low < CONCENTRATED) return [];
  const share = percent(first.clicks / totals.clicks);
  return [
    {
      id: "risk:concentration",
      type: "risk",
      priority: range.low >= 0.8 ? "high" : "medium",
      title: "Most of your traffic depends on one link",
      summary: `${nameOf(first.link)} gets ${share} of all clicks. If its page fails, nearly everything stops.`,
      recommendation: "Keep a close watch on its destination, and promote other links as well.",
      metric: `${share} of clicks`,
      evidence: [`${number(first.clicks)} of ${plural(totals.clicks, "click")}, ${interval(range)} (Wilson)`],
    },
  ];
};

const bots: InsightCheck = ({ botClicks, totals }) => {
  const all = botClicks + totals.clicks;
  const range = wilson(botClicks, all);
  if (range.low < BOTS) return [];
  const share = percent(botClicks / all);
  return [
    {
      id: "risk:bots",
      type: "risk",
      priority: range.low >= 0.6 ? "high" : "medium",
      title: "Many of your clicks come from bots",
      summary: `Bots made ${share} of all clicks. Figures exclude them unless you ask for them.`,
      recommendation:
        "Check where your busiest links are published. If real visitors were mistaken for bots, restore them in the abuse " +
        "queue.",
      metric: `${share} bots`,
      evidence: [`${number(botClicks)} of ${plural(all, "click")} were from bots, ${interval(range)} (Wilson)`],
    },
  ];
};

/** Returns the days from the first click on: before a launch, nothing was expected. */
export const daysSinceFirstClick = <Day extends { clicks: number }>(days: readonly Day[]): readonly Day[] =>
  days.slice(
    Math.max(
      0,
      days.findIndex(({ clicks }) => clicks > 0),
    ),
  );

const direction: InsightCheck = (facts) => {
  const days = daysSinceFirstClick(facts.days);
  if (days.length < TREND_DAYS_MIN || facts.stop !== undefined) return [];
  const trend = seasonalTrend(days.map(({ clicks }) => clicks));
  const usual = median(days.map(({ clicks }) => clicks));
  // Where most days have no clicks, the median of all changes is 0, whatever the few others say.
  if (!trend || trend.slope === 0) return [];
  if (trend.pValue > LEVEL || Math.abs(trend.slope) * days.length < CHANGE_MIN * usual) return [];
  const isRising = trend.slope > 0;
  const perWeek = number(Math.abs(trend.slope) * 7);
  return [
    {
      id: isRising ? "opportunity:rising_clicks" : "risk:falling_clicks",
      type: isRising ? "opportunity" : "risk",
      priority: Math.abs(trend.slope) * days.length >= usual ? "high" : "medium",
      title: isRising ? "Clicks are rising" : "Clicks are falling",
      summary: `From one week to the next, a day brings about ${perWeek} ${isRising ? "more" : "fewer"} clicks.`,
      recommendation: isRising
        ? "Find out which links and referrers bring the new visitors, and do more of that."
        : "Find out which links lost visitors, and promote them again.",
      metric: `${isRising ? "+" : "−"}${perWeek} clicks a day, week on week`,
      evidence: [
        `Seasonal Kendall test over ${plural(days.length, "whole day")}, comparing each weekday with itself: ` +
          `${chance(trend.pValue)}`,
        `Median change from one week to the next: ${isRising ? "+" : "−"}${perWeek} clicks a day; a median day has ` +
          `${number(usual)}`,
      ],
    },
  ];
};

const oneCountry: InsightCheck = ({ countries, totals, links, isOfLink }) => {
  const [first] = countries;
  if (!first || (isOfLink && links.some(({ link }) => link.isBioPage))) return [];
  const range = wilson(Math.min(first.count, totals.clicks), totals.clicks);
  const hasRule = links.some(({ link }) =>
    link.rules.some(({ conditions }) => conditions?.countries?.includes(first.name)),
  );
  if (range.low < COUNTRY || hasRule) return [];
  const share = percent(first.count / totals.clicks);
  return [
    {
      id: `opportunity:country:${first.name}`,
      type: "opportunity",
      priority: "low",
      title: `${share} of your clicks come from ${countryName(first.name)}`,
      summary:
        `No rule of ${isOfLink ? "this link" : "your busiest links"} names this country, so its visitors get the same ` +
        "page as everyone else.",
      recommendation: `If you have a page in their language or currency, send them there with a rule for the country ${first.name}.`,
      metric: `${share} of clicks`,
      evidence: [`${number(first.count)} of ${plural(totals.clicks, "click")}, ${interval(range)} (Wilson)`],
    },
  ];
};

const places = new Intl.DisplayNames("en", { type: "region" });
const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (places.of(code) ?? code) : code);

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Finds a weekday that stands out, with Bonferroni's correction for seven weekdays. */
const peakWeekday: InsightCheck = (facts) => {
  const days = daysSinceFirstClick(facts.days);
  const usual = median(days.map(({ clicks }) => clicks));
  const isOn = (weekday: number) => (day: (typeof days)[number]) => new Date(day.at).getUTCDay() === weekday;
  const [best] = WEEKDAYS.map((name, weekday) => {
    const counts = days.filter(isOn(weekday)).map(({ clicks }) => clicks);
    const others = days.filter((day) => !isOn(weekday)(day)).map(({ clicks }) => clicks);
    return { name, counts, ...rankSumTest(counts, others) };
  })
    .filter(({ counts, isGreater, pValue }) => counts.length >= WEEKS_MIN && isGreater && 7 * pValue <= LEVEL)
    .filter(({ counts }) => median(counts) >= WEEKDAY_MIN * usual)
    .sort((a, b) => median(b.counts) - median(a.counts));
  if (!best || usual < 10) return [];
  const times = number(median(best.counts) / usual);
  return [
    {
      id: `opportunity:weekday:${best.name.toLowerCase()}s`,
      type: "opportunity",
      priority: "low",
      title: `${best.name} is your best day`,
      summary: `A typical ${best.name} brings ${plural(median(best.counts), "click")}, a typical day ${number(usual)}.`,
      recommendation: `Schedule what matters most for ${best.name}.`,
      metric: `${times} times the median day`,
      evidence: [
        `Clicks on ${plural(best.counts.length, best.name)}: ${best.counts.map(number).join(", ")} (days in UTC)`,
        `Mann–Whitney test against all other days: ${chance(Math.min(1, 7 * best.pValue))} after correction for seven weekdays`,
      ],
    },
  ];
};

export const TRAFFIC: InsightCheck[] = [concentration, bots, direction, oneCountry, peakWeekday];
