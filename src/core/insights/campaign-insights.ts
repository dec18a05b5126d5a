/**
 * What follows from a workspace's figures for whoever runs its campaigns: first what is broken and where split tests have a
 * winner, as their own answers tell it; then what else may cost visitors, where there is more to be had, and what is not set
 * up yet, by what it costs. Each claim is told only where it is more than chance. All claims of an answer together are false
 * in at most 5 of 100 workspaces in which nothing is the matter: rates have 3 % of that (`rate-claims.ts`), the direction of
 * clicks and the best weekday 1 % each (`rank-tests.ts`). Below 100 clicks nothing but faults and the set-up is told of.
 */
import type {
  BrokenCampaign,
  CampaignInsight,
  ComputedSummary,
  DestinationCandidate,
  Level,
} from "@/contract/analytics/insights";
import type { Link } from "@/contract/links/links";
import { LINK_CLICKS_MIN, SETUP, SETUP_CLICKS_MIN } from "./campaign-setup";
import { channelClaims, linkClaims, type RateClaims, rateClaims, unmeasured } from "./link-claims";
import type { LinkDay } from "./measured";
import type { DayFigures } from "./prediction";
import { TRAFFIC, TREND_DAYS_MIN } from "./traffic-insights";
import { plural } from "./words";

export interface LinkFigures {
  link: Link;
  /** Counts within the range. */
  clicks: number;
  /** Covers the range and the weeks before it, in order and without gaps. */
  days: readonly LinkDay[];
}

export interface InsightFacts {
  totals: { clicks: number; installs: number; leads: number; events: number };
  /** Beside `totals`, if those are of people alone. */
  botClicks: number;
  /** Covers the whole days of the range, in order and without gaps. */
  days: readonly DayFigures[];
  /** The most visited first; the one that was asked for. */
  links: readonly LinkFigures[];
  /** Those and whatever they are compared with. */
  compared: readonly LinkFigures[];
  /** Start of the range, Unix milliseconds. */
  from: number;
  /** Links of the workspace that are not deleted. */
  linksTotal: number;
  /** Of clicks, the greatest first; unknown ones left out. */
  countries: readonly { name: string; count: number }[];
  /** Counts clicks without a referring page. */
  direct: number;
  /** Asked about one link alone. */
  isOfLink: boolean;
  /** As broken campaigns tells them, in its order. */
  faults: readonly BrokenCampaign[];
  /** As best destination tells it, with its reason; null where no split has a sure winner. */
  best: { candidate: DestinationCandidate; reason: string } | null;
}

export interface FoundInsights {
  insights: CampaignInsight[];
  /** How many of them come first: faults and winners. */
  leading: number;
  claims: RateClaims;
  data: ComputedSummary["data"];
  text: string;
  notes: string[];
}

export type InsightCheck = (facts: InsightFacts) => CampaignInsight[];

/** More are for broken campaigns to tell. */
const FAULTS_MAX = 5;

export function findInsights(facts: InsightFacts): FoundInsights {
  const { clicks } = facts.totals;
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
  if (clicks === 0)
    return { insights, leading, claims, data: "none", text: NO_CLICKS, notes: notesOf(facts, isEnough) };
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
export const NO_CLAIMS: RateClaims = { links: [], channels: [], measured: [], unmeasured: [] };
const conversionsOf = ({ totals }: InsightFacts) => totals.installs + totals.leads + totals.events;

function notesOf({ days, faults, totals }: InsightFacts, isEnough: boolean): string[] {
  const told = seriousOf(faults).length;
  return [
    ...(told > FAULTS_MAX ? [`${plural(told - FAULTS_MAX, "more fault")} in broken campaigns`] : []),
    ...(!isEnough && totals.clicks > 0
      ? [`Fewer than ${SETUP_CLICKS_MIN} clicks: only faults and the set-up were checked`]
      : []),
    ...(isEnough && days.length < TREND_DAYS_MIN
      ? [`Fewer than ${TREND_DAYS_MIN} whole days: too short to tell whether clicks rise or fall`]
      : []),
  ];
}

const LEVELS: Level[] = ["high", "medium", "low"];
const TYPES: CampaignInsight["type"][] = ["risk", "opportunity", "setup"];
const byUrgency = (a: CampaignInsight, b: CampaignInsight) =>
  LEVELS.indexOf(a.priority) - LEVELS.indexOf(b.priority) ||
  TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
  (a.id < b.id ? -1 : 1);

/** Missing UTM parameters are told of in sum, as set-up. */
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
  const { id, linkTitle, splitTarget, destinationUrl, confidence, reasons } = best.candidate;
  return [
    {
      id: `opportunity:best_destination:${id}`,
      type: "opportunity",
      priority: confidence,
      title: `The split test of \`${linkTitle}\` has a winner: ${splitTarget ?? destinationUrl}`,
      summary: `${best.reason}.`,
      recommendation: `Send all visitors of \`${linkTitle}\` to ${destinationUrl}, or give that target most of the weight.`,
      metric: reasons[0] ?? best.reason,
      evidence: reasons,
    },
  ];
}
