/**
 * Draws conclusions from a workspace's figures for the people who run its campaigns. Faults and split tests with a
 * winner come first, as the broken-campaigns and best-destination analyses report them. Risks, opportunities and
 * missing set-up follow, most urgent first. A claim is made only if chance does not explain it. In at most 5 of 100
 * workspaces where nothing is unusual does an answer contain any false claim: rates account for 3%
 * (`rate-claims.ts`), the direction of clicks and the best weekday for 1% each (`rank-tests.ts`). With fewer than 100
 * clicks, only faults and the set-up are reported.
 */
import type {
  BrokenCampaign,
  CampaignInsight,
  ComputedSummary,
  DestinationCandidate,
  Level,
} from "@/contract/analytics/insights";
import type { Link } from "@/contract/links/links";
import { plural } from "../plural";
import { conversionsOf, LINK_CLICKS_MIN, SETUP, SETUP_CLICKS_MIN } from "./campaign-setup";
import { type DescribedLink, nounOf } from "./described-link";
import { destinationName } from "./destination-figures";
import { channelClaims, linkClaims, type RateClaims, rateClaims, unmeasured } from "./link-claims";
import type { LinkDay } from "./measured";
import type { DayFigures } from "./prediction";
import { daysSinceFirstClick, TRAFFIC, TREND_DAYS_MIN } from "./traffic-insights";

export interface LinkFigures {
  link: Link & Pick<DescribedLink, "isBioPage">;
  /** Clicks within the range. */
  clicks: number;
  /** Covers the range and the weeks before it, in order and without gaps. */
  days: readonly LinkDay[];
}

export interface InsightFacts {
  totals: { clicks: number; installs: number; leads: number; events: number };
  /** Clicks by bots if `totals` counts people only, otherwise 0. */
  botClicks: number;
  /** Covers the whole days of the range, in order and without gaps. */
  days: readonly DayFigures[];
  /** The most visited links, busiest first; for a question about one link, that link. */
  links: readonly LinkFigures[];
  /** `links`, and the links that they are compared with. */
  compared: readonly LinkFigures[];
  /** Start of the range, Unix milliseconds. */
  from: number;
  /** Links of the workspace that are not deleted. */
  linksTotal: number;
  /** Clicks by country, most first, without unknown countries. */
  countries: readonly { name: string; count: number }[];
  /** Counts clicks without a referring page; null if that is not known. */
  direct: number | null;
  /** True if the range has not begun, so that it cannot have clicks. */
  isAhead: boolean;
  /** True if the question is about one link. */
  isOfLink: boolean;
  /** True if that link was deleted, so that nothing about it can be changed. */
  isDeleted: boolean;
  /** How people took that link out of use since its first click in the range, as in `` `Sale` was paused on … ``. */
  stop?: string;
  /** True if the question is about a bio page. */
  isBioPage?: true;
  /** Broken campaigns, in the order of that analysis. */
  faults: readonly BrokenCampaign[];
  /** The best destination and the reason for it; null if no split test has a proven winner. */
  best: { candidate: DestinationCandidate; reason: string } | null;
}

export interface FoundInsights {
  insights: CampaignInsight[];
  /** Number of insights at the start of the list that are faults or split-test winners. */
  leading: number;
  claims: RateClaims;
  data: ComputedSummary["data"];
  text: string;
  notes: string[];
}

export type InsightCheck = (facts: InsightFacts) => CampaignInsight[];

/** The broken-campaigns analysis lists the rest. */
const FAULTS_MAX = 5;

export function findInsights(facts: InsightFacts): FoundInsights {
  const { clicks } = facts.totals;
  if (facts.isDeleted) {
    const data = clicks === 0 ? "none" : "enough";
    return { insights: [], leading: 0, claims: NO_CLAIMS, data, text: deleted(facts), notes: [] };
  }
  const isEnough = clicks >= SETUP_CLICKS_MIN;
  const claims = isEnough ? rateClaims(facts) : NO_CLAIMS;
  const figures = isEnough
    ? [
        ...TRAFFIC.flatMap((check) => check(facts)),
        ...linkClaims(facts, claims),
        ...channelClaims(facts, claims),
        ...(conversionsOf(facts) > 0 ? unmeasured(LINK_CLICKS_MIN)(facts, claims) : []),
      ]
    : [];
  const rest = [...SETUP.flatMap((check) => check(facts)), ...figures].sort(byUrgency);
  const first = [...ofFaults(facts), ...ofBest(facts)];
  const insights = [...first, ...rest];
  const leading = first.length;
  const count = `${plural(insights.length, "insight")} from ${plural(clicks, "click")}`;
  if (clicks === 0) {
    const text = facts.isAhead ? AHEAD : NO_CLICKS;
    return { insights, leading, claims, data: "none", text, notes: notesOf(facts, isEnough) };
  }
  return {
    insights,
    leading,
    claims,
    data: isEnough ? "enough" : "thin",
    text: count,
    notes: notesOf(facts, isEnough),
  };
}

const NO_CLICKS = "The range has no clicks to learn from";
const deleted = (facts: InsightFacts): string =>
  `The ${nounOf(facts)} was deleted, so there is nothing about it to change`;
const AHEAD = "The range has not begun, so there are no clicks to learn from yet";
export const NO_CLAIMS: RateClaims = { links: [], channels: [], measured: [], unmeasured: [] };

function notesOf({ days, faults, totals, stop }: InsightFacts, isEnough: boolean): string[] {
  const told = seriousOf(faults).length;
  const begun = daysSinceFirstClick(days).length;
  const since = begun < days.length ? " since the first click" : "";
  return [
    ...(told > FAULTS_MAX ? [`${plural(told - FAULTS_MAX, "more fault")} in broken campaigns`] : []),
    ...(!isEnough && totals.clicks > 0
      ? [`Fewer than ${SETUP_CLICKS_MIN} clicks: only faults and the set-up were checked`]
      : []),
    ...(isEnough && begun < TREND_DAYS_MIN
      ? [`Fewer than ${TREND_DAYS_MIN} whole days${since}: too short to tell whether clicks rise or fall`]
      : []),
    ...(stop === undefined ? [] : [`${stop}, so its clicks are not said to rise or fall`]),
  ];
}

const LEVELS: Level[] = ["high", "medium", "low"];
const TYPES: CampaignInsight["type"][] = ["risk", "opportunity", "setup"];
const byUrgency = (a: CampaignInsight, b: CampaignInsight) =>
  LEVELS.indexOf(a.priority) - LEVELS.indexOf(b.priority) ||
  TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
  (a.id < b.id ? -1 : 1);

/** Leaves out missing UTM parameters, which `campaign-setup.ts` reports together. */
const seriousOf = (faults: readonly BrokenCampaign[]) => faults.filter(({ type }) => type !== "missing_utm");

function ofFaults({ faults }: InsightFacts): CampaignInsight[] {
  return seriousOf(faults)
    .slice(0, FAULTS_MAX)
    .map(({ id, severity, title, summary, recommendation, evidence }) => ({
      ...{ id: `risk:${id}`, type: "risk", priority: severity, title, summary, recommendation },
      metric: evidence[0] ?? title,
      evidence,
    }));
}

function ofBest({ best }: InsightFacts): CampaignInsight[] {
  if (!best) return [];
  const { id, linkTitle, destinationUrl, confidence, reasons } = best.candidate;
  return [
    {
      id: `opportunity:best_destination:${id}`,
      type: "opportunity",
      priority: confidence,
      title: `The split test of \`${linkTitle}\` has a winner: ${destinationName(best.candidate)}`,
      summary: `${best.reason}.`,
      recommendation: `Send all visitors of \`${linkTitle}\` to ${destinationUrl}, or give that target most of the weight.`,
      metric: reasons[0] ?? best.reason,
      evidence: reasons,
    },
  ];
}
