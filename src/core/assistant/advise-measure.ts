/**
 * Recommendations about the goal's own measure: whether there is enough data, whether it is counted at all, and which
 * way it is going.
 */
import { rankSumTest } from "../insights/statistics/rank-tests";
import { ratioTest } from "../insights/statistics/ratio-test";
import { percent } from "../insights/words";
import { number, plural } from "../plural";
import { CLICKS_MIN, daysOfMeasure, rateOf, rateSentence } from "./conversion";
import type { AssistantFigures } from "./figures";
import { countOfMeasure } from "./intents";
import { CHANGE_MIN, compareCounts, compareShares, type Direction, shareOf } from "./intervals";
import type { Advise } from "./recommendation";

export const adviseThin: Advise = ({ figures: { current } }) => {
  if (current.totalClicks >= CLICKS_MIN) return undefined;
  return {
    title: "Collect more clicks first",
    rationale: "There are too few clicks to compare channels, devices or countries.",
    action:
      "Share links in two or three channels, each with its own UTM values, and ask again once people have clicked.",
    priority: "high",
    evidence: [`${plural(current.totalClicks, "click")} in the last 30 days; comparisons start at ${CLICKS_MIN}`],
  };
};

export const adviseUncounted: Advise = ({ figures: { current }, intent }) => {
  if (countOfMeasure(intent, current) > 0) return undefined;
  return {
    title: `Start counting ${intent.measure}s`,
    rationale:
      `Your goal is measured in ${intent.measure}s, but none has been counted, so nobody can tell whether a campaign ` +
      "worked.",
    action: intent.counting,
    priority: "high",
    evidence: [`0 ${intent.measure}s from ${plural(current.totalClicks, "click")} in the last 30 days`],
  };
};

const DAYS_MIN = 7;
const LEVEL = 0.01;

/**
 * Compares the daily clicks of the last 30 days with those of the 30 days before. Sums alone would report the scatter
 * of ordinary days as a change; they are compared only if there are too few days.
 */
export function clicksDirection({ current, previous }: Pick<AssistantFigures, "current" | "previous">): Direction {
  const [now, before] = [current, previous].map(({ timeseries }) => timeseries.map(({ clicks }) => clicks));
  if (!now || !before || Math.min(now.length, before.length) < DAYS_MIN) {
    return compareCounts(current.totalClicks, previous.totalClicks);
  }
  const { isGreater, pValue } = rankSumTest(now, before);
  const [more, less] = isGreater
    ? [current.totalClicks, previous.totalClicks]
    : [previous.totalClicks, current.totalClicks];
  if (pValue > LEVEL || more < less * CHANGE_MIN) return "unclear";
  return isGreater ? "up" : "down";
}

/** Left out if insights already report which way clicks are going, and for the first clicks, which follow none. */
export const adviseTraffic: Advise = ({ figures, intent }) => {
  const { current, previous, found } = figures;
  const isTold = found.insights.some(({ id }) => id.endsWith("_clicks"));
  const direction = clicksDirection(figures);
  if (isTold || direction === "unclear" || previous.totalClicks === 0) return undefined;
  if (current.totalClicks + previous.totalClicks < CLICKS_MIN) return undefined;
  const evidence = [
    `${plural(current.totalClicks, "click")} in the last 30 days, ${number(previous.totalClicks)} in the 30 days before`,
    "Days of both periods compared with the Mann–Whitney test, reported at p ≤ 0.01",
  ];
  if (direction === "up") {
    return {
      title: "Repeat what brought more clicks",
      rationale: "You had more clicks than in the 30 days before, by more than chance explains.",
      action: "See what is new among your most clicked links, and do it again.",
      priority: "low",
      evidence,
    };
  }
  return {
    title: "Find out where you lost clicks",
    rationale: "You had fewer clicks than in the 30 days before, by more than chance explains.",
    action: "Compare the most clicked links of both periods: which campaign ended, and which link is no longer shown?",
    priority: intent.measure === "click" ? "high" : "medium",
    evidence,
  };
};

export const adviseRate: Advise = ({ figures: { current, previous }, intent }) => {
  const [now, before] = [rateOf(intent, current), rateOf(intent, previous)];
  if (!now || !before) return undefined;
  const direction = compareShares(now, before);
  const [days, daysBefore] = [daysOfMeasure(intent, current), daysOfMeasure(intent, previous)];
  const isByDays = Math.min(days.length, daysBefore.length) >= DAYS_MIN;
  if (direction === "unclear" || (isByDays && ratioTest(days, daysBefore) > LEVEL)) return undefined;
  if (Math.max(now.value, before.value) < CHANGE_MIN * Math.min(now.value, before.value)) return undefined;
  const noun = intent.measure;
  const evidence = [
    rateSentence("Last 30 days", noun, { clicks: now.total, conversions: now.count, rate: now }),
    rateSentence("30 days before", noun, { clicks: before.total, conversions: before.count, rate: before }),
    ...(isByDays
      ? ["Compared with the variation of the days in both periods (Student's t), reported at p ≤ 0.01"]
      : []),
  ];
  if (direction === "up") {
    return {
      title: `Send more visitors while clicks turn into ${noun}s`,
      rationale: `Clicks turn into ${noun}s more often than in the 30 days before, by more than chance explains.`,
      action: "Put more into the channels that work while this lasts, and note what you changed.",
      priority: "medium",
      evidence,
    };
  }
  return {
    title: `Fix the path from click to ${noun}`,
    rationale: `Clicks turn into ${noun}s less often than in the 30 days before, by more than chance explains.`,
    action:
      "Go through it yourself on a phone. Check what changed on the page, in the form or in the app, and try undoing " +
      "it.",
    priority: "high",
    evidence,
  };
};

export const adviseReturning: Advise = ({ figures: { current }, intent }) => {
  const { totalClicks, uniqueVisitors } = current;
  if (intent.name !== "retention" || totalClicks < CLICKS_MIN) return undefined;
  const repeated = shareOf(Math.max(0, totalClicks - uniqueVisitors), totalClicks);
  if (!repeated) return undefined;
  return {
    title: "Contact people who came once",
    rationale: "Repeat clicks are the best sign of returning visitors you have so far.",
    action:
      "Send the people whose addresses you have their own link, and watch whether the share of repeat clicks grows.",
    priority: "medium",
    evidence: [
      `${plural(totalClicks, "click")} from ${plural(uniqueVisitors, "visitor")}: ${percent(repeated.value)} of the clicks came from people who had clicked before`,
    ],
  };
};

/** Used if nothing else stands out. */
export const adviseTest: Advise = ({ figures: { current }, intent }) => {
  const conversions = countOfMeasure(intent, current);
  return {
    title: "Test one change at a time",
    rationale: "No channel, device, country, language or time stands out by more than chance explains.",
    action:
      "Give one link two split targets that differ in one thing, and keep the better one once the figures are clear.",
    priority: "low",
    evidence: [
      intent.measure === "click"
        ? `${plural(current.totalClicks, "click")} in the last 30 days`
        : `${plural(conversions, intent.measure)} from ${plural(current.totalClicks, "click")} in the last 30 days`,
    ],
  };
};
