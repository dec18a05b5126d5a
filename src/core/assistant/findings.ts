/**
 * Turns insights into recommendations, so that the assistant never contradicts them. They name links, which the
 * customer may see but a language model may not.
 */
import type { CampaignInsight } from "@/contract/analytics/insights";
import type { IntentName } from "./intents";
import type { Recommendation } from "./recommendation";

/** Leaves room for the goal's own recommendations. */
const FAULTS_MAX = 3;
const OTHERS_MAX = 3;

const isClaim = ({ id }: CampaignInsight) => /:converts_(?:well|badly):/.test(id);
/** The channel recommendations report this for the goal's own measure. */
const isOfChannel = ({ id }: CampaignInsight) => /:converts_(?:well|badly):channel:/.test(id);

/** Rates of other conversions than the goal's are left to insights. */
const KINDS: Partial<Record<IntentName, string>> = { installs: "installs", leads: "leads", sales: "events" };

const kindOf = ({ id }: CampaignInsight): string => /:(installs|events)$/.exec(id)?.[1] ?? "leads";

export interface InsightFindings {
  /** In the order of insights. */
  insights: readonly CampaignInsight[];
  /** Number of faults and winners at the start of the list; they also come first here. */
  leading: number;
}

/** Puts faults and winners first; the others are sorted by urgency later. */
export function findingsOf({ insights, leading }: InsightFindings, intent: IntentName) {
  const winners = insights.slice(0, leading).filter(({ type }) => type === "opportunity");
  const faults = insights.slice(0, leading).filter(({ type }) => type !== "opportunity");
  const others = insights
    .slice(leading)
    .filter((insight) => insight.type !== "setup" && !isOfChannel(insight))
    .filter((insight) => !isClaim(insight) || KINDS[intent] === undefined || kindOf(insight) === KINDS[intent])
    .slice(0, OTHERS_MAX);
  const first = [...faults.slice(0, FAULTS_MAX), ...winners];
  const begin = faults.length > 0 ? REPAIR : winners.length > 0 ? CONCLUDE : undefined;
  return { first: first.map(recommended), others: others.map(recommended), begin };
}

/** These contain no names, so a language model may see them. */
const REPAIR = "First, repair what is broken.";
const CONCLUDE = "First, act on the split test that has a winner.";

const recommended = ({
  id: insightId,
  title,
  summary,
  recommendation,
  priority,
  evidence,
}: CampaignInsight): Recommendation => ({
  ...{ title, rationale: summary, action: recommendation, priority, evidence, insightId, hidesFromModel: true },
});
