/**
 * What insights found, as recommendations: the assistant says no other than they do. They name links, which the customer may
 * read and a language model may not.
 */
import type { CampaignInsight } from "@/contract/analytics/insights";
import type { IntentName } from "./intents";
import type { Recommendation } from "./recommendation";

/** A goal's own advice needs room beside them. */
const FAULTS_MAX = 3;
const OTHERS_MAX = 3;

const isClaim = ({ id }: CampaignInsight) => /:converts_(?:well|badly):/.test(id);
/** The channel advice reports this for the goal's own measure. */
const isOfChannel = ({ id }: CampaignInsight) => /:converts_(?:well|badly):channel:/.test(id);

/** Rates of something else than the goal is judged by are for insights to tell. */
const KINDS: Partial<Record<IntentName, string>> = { installs: "installs", leads: "leads", sales: "events" };

const kindOf = ({ id }: CampaignInsight): string => /:(installs|events)$/.exec(id)?.[1] ?? "leads";

export interface FoundElsewhere {
  /** The findings keep their order. */
  insights: readonly CampaignInsight[];
  /** How many of them are faults and winners, which come first here as well. */
  leading: number;
}

/** Faults and winners begin the answer; the others take their place by urgency. */
export function findingsOf({ insights, leading }: FoundElsewhere, intent: IntentName) {
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

/** Without any name. */
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
  ...{ title, rationale: summary, action: recommendation, priority, evidence, insightId, isOurs: true },
});
