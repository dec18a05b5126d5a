/** What a recommendation is while it is made, and what it is made of. */
import type { AssistantRecommendation } from "@/contract/analytics/ai";
import type { AssistantFigures } from "./figures";
import type { Intent } from "./intents";

export interface Recommendation extends AssistantRecommendation {
  /** It names links: no language model sees or rewords it. */
  isOurs?: true;
}

export interface Situation {
  figures: AssistantFigures;
  intent: Intent;
}

/** Looks for one thing in the figures; undefined when it is not there. */
export type Advise = (situation: Situation) => Recommendation | undefined;
