/**
 * What follows from a workspace's figures for whoever runs its campaigns: what is not set up, where there is more to be had,
 * and what may go wrong. Each is told only where it is more than chance: shares by the lower end of their Wilson interval,
 * links against the rest where the two intervals do not touch, directions where the interval of the Theil–Sen slope leaves
 * out 0. Below 100 clicks nothing but the set-up is told of.
 */
import type { CampaignInsight, ComputedSummary, Level } from "@/contract/insights";
import type { Link } from "@/contract/links";
import { CLICKS_MIN, LINK_CLICKS_MIN, SETUP } from "./campaign-setup";
import type { DayFigures } from "./prediction";
import { ratePer, wilson } from "./rates";
import { directionOf, median, type Slope, theilSen } from "./robust";
import { interval, nameOf, number, percent, plural } from "./words";

export interface LinkFigures {
  link: Link;
  clicks: number;
  /** Leads and custom events of the link. */
  conversions: number;
}

export interface InsightFacts {
  totals: { clicks: number; installs: number; leads: number; events: number };
  /** Beside `totals`, if those are of people alone. */
  botClicks: number;
  /** Whole days of the range, in order and without gaps. */
  days: readonly DayFigures[];
  /** The most visited first. */
  links: readonly LinkFigures[];
  /** Links of the workspace that are not deleted. */
  linksTotal: number;
  /** Of clicks, the greatest first; unknown ones left out. */
  countries: readonly { name: string; count: number }[];
  /** Clicks without a referring page. */
  direct: number;
  /** Asked about one link alone. */
  isOfLink: boolean;
}

export interface FoundInsights {
  insights: CampaignInsight[];
  data: ComputedSummary["data"];
  text: string;
  notes: string[];
}

export type InsightCheck = (facts: InsightFacts) => CampaignInsight[];

const CONCENTRATED = 0.6;
const BOTS = 0.3;
const COUNTRY = 0.4;
const DAYS_MIN = 14;
const WEEKS_MIN = 4;

export function findInsights(facts: InsightFacts): FoundInsights {
  const { clicks } = facts.totals;
  const isEnough = clicks >= CLICKS_MIN;
  const insights = (isEnough ? [...SETUP, ...FIGURES] : SETUP).flatMap((check) => check(facts)).sort(byUrgency);
  const count = `${plural(insights.length, "insight")} from ${plural(clicks, "click")}`;
  if (clicks === 0)
    return { insights, data: "none", text: "There were no clicks in the range to learn from", notes: [] };
  if (isEnough) return { insights, data: "enough", text: count, notes: notesOf(facts) };
  const note = `Fewer than ${CLICKS_MIN} clicks: only the set-up was looked at`;
  return { insights, data: "thin", text: count, notes: [note] };
}

function notesOf({ days }: InsightFacts): string[] {
  return days.length < DAYS_MIN ? [`Fewer than ${DAYS_MIN} whole days: no direction is told`] : [];
}

const LEVELS: Level[] = ["high", "medium", "low"];
const byUrgency = (a: CampaignInsight, b: CampaignInsight) =>
  LEVELS.indexOf(a.priority) - LEVELS.indexOf(b.priority) || (a.id < b.id ? -1 : 1);

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
      title: "Most traffic hangs on one link",
      summary: `${nameOf(first.link)} has ${share} of all clicks`,
      recommendation: "See that its destination is watched, and give other links a share of the traffic",
      metric: `${share} of clicks`,
      evidence: [`${number(first.clicks)} of ${plural(totals.clicks, "click")}, ${interval(range)}`],
    },
  ];
};

const bots: InsightCheck = ({ botClicks, totals }) => {
  const all = botClicks + totals.clicks;
  const range = wilson(botClicks, all);
  if (range.low < BOTS) return [];
  return [
    {
      id: "risk:bots",
      type: "risk",
      priority: range.low >= 0.6 ? "high" : "medium",
      title: "Many clicks are not people's",
      summary: `${percent(botClicks / all)} of all clicks were bots'; they are left out of the figures unless asked for`,
      recommendation: "Look at the abuse queue, and at where the busiest links are published",
      metric: `${percent(botClicks / all)} bots`,
      evidence: [`${number(botClicks)} of ${plural(all, "click")}, ${interval(range)}`],
    },
  ];
};

const direction: InsightCheck = ({ days }) => {
  const slope = days.length < DAYS_MIN ? undefined : theilSen(days.map(({ clicks }) => clicks));
  const way = directionOf(slope);
  if (!slope || way === undefined || way === "steady") return [];
  const isRising = way === "rising";
  const usual = median(days.map(({ clicks }) => clicks));
  const change = `${isRising ? "+" : "−"}${number(Math.abs(slope.slope))} clicks a day`;
  return [
    {
      id: isRising ? "opportunity:rising_clicks" : "risk:falling_clicks",
      type: isRising ? "opportunity" : "risk",
      priority: Math.abs(slope.slope) * days.length >= usual ? "high" : "medium",
      title: isRising ? "Clicks are rising" : "Clicks are falling",
      summary: `Each day had about ${number(Math.abs(slope.slope))} clicks ${isRising ? "more" : "fewer"} than the one before`,
      recommendation: isRising
        ? "See what brings the visitors, and do more of it"
        : "See which links lose visitors, and bring those before people again",
      metric: change,
      evidence: [
        `Theil–Sen slope over ${plural(days.length, "whole day")}: ${signed(slope.slope)} a day, 95 % interval ${spread(slope)}`,
        `The median day had ${plural(usual, "click")}`,
      ],
    },
  ];
};

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
const spread = ({ low, high }: Slope): string => `${signed(low)} to ${signed(high)}`;

const unlikeOthers: InsightCheck = ({ links, isOfLink }) => {
  if (isOfLink) return [];
  const all = links.reduce((sum, each) => sum + each.clicks, 0);
  const converted = links.reduce((sum, each) => sum + each.conversions, 0);
  return links
    .filter(({ clicks }) => clicks >= LINK_CLICKS_MIN && all - clicks >= LINK_CLICKS_MIN)
    .flatMap(({ link, clicks, conversions }) => {
      const own = ratePer(conversions, clicks);
      const others = ratePer(converted - conversions, all - clicks);
      const isBetter = own.low > others.high;
      if (!isBetter && own.high >= others.low) return [];
      return [
        {
          id: `${isBetter ? "opportunity:converts_well" : "risk:converts_badly"}:${link._id}`,
          type: isBetter ? ("opportunity" as const) : ("risk" as const),
          priority: clicks >= all / 5 ? ("high" as const) : ("medium" as const),
          title: `${nameOf(link)} converts ${isBetter ? "better" : "worse"} than the others`,
          summary: `${percent(own.rate)} leads and events per click, against ${percent(others.rate)} of the other links`,
          recommendation: isBetter
            ? "Send more visitors its way, and see what its page does otherwise"
            : "Look at its page, and at whether it keeps what the link promises",
          metric: `${percent(own.rate)} against ${percent(others.rate)}`,
          evidence: [
            `${number(conversions)} of ${plural(clicks, "click")}, ${interval(own)}`,
            `The others: ${number(converted - conversions)} of ${plural(all - clicks, "click")}, ${interval(others)}`,
          ],
        },
      ];
    });
};

const oneCountry: InsightCheck = ({ countries, totals, links }) => {
  const [first] = countries;
  if (!first) return [];
  const range = wilson(Math.min(first.count, totals.clicks), totals.clicks);
  const hasRule = links.some(({ link }) =>
    link.rules.some(({ conditions }) => conditions?.countries?.includes(first.name)),
  );
  if (range.low < COUNTRY || hasRule) return [];
  return [
    {
      id: `opportunity:country:${first.name}`,
      type: "opportunity",
      priority: "low",
      title: `Many visitors come from ${first.name}`,
      summary: `${percent(first.count / totals.clicks)} of the clicks, and no rule sends them to a page of their own`,
      recommendation: `Add a rule for the country ${first.name} where there is a page in its language`,
      metric: `${percent(first.count / totals.clicks)} of clicks`,
      evidence: [`${number(first.count)} of ${plural(totals.clicks, "click")}, ${interval(range)}`],
    },
  ];
};

const WEEKDAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];

/** Where every one of its days had more than the median day has, it is not by chance. */
const peakWeekday: InsightCheck = ({ days }) => {
  const usual = median(days.map(({ clicks }) => clicks));
  const weekdays = WEEKDAYS.map((name, weekday) => ({
    name,
    counts: days.filter(({ at }) => new Date(at).getUTCDay() === weekday).map(({ clicks }) => clicks),
  }));
  const [best] = weekdays
    .filter(({ counts }) => counts.length >= WEEKS_MIN && Math.min(...counts) > usual && median(counts) >= 1.5 * usual)
    .sort((a, b) => median(b.counts) - median(a.counts));
  if (!best || usual < 10) return [];
  return [
    {
      id: `opportunity:weekday:${best.name.toLowerCase()}`,
      type: "opportunity",
      priority: "low",
      title: `${best.name} are your best days`,
      summary: `Their median is ${plural(median(best.counts), "click")}, that of all days ${number(usual)}`,
      recommendation: `Put what matters most on ${best.name}`,
      metric: `${number(median(best.counts) / usual)} times the median day`,
      evidence: [
        `Clicks on ${plural(best.counts.length, "such day")}: ${best.counts.map(number).join(", ")} (days of UTC)`,
      ],
    },
  ];
};

const FIGURES = [concentration, bots, direction, unlikeOthers, oneCountry, peakWeekday];
