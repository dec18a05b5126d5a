/** A recommendation before it is presented, and the input from which it is made. */
import type { AssistantRecommendation } from "@/contract/analytics/ai";
import type { AssistantFigures } from "./figures";
import type { Intent } from "./intents";

export interface Recommendation extends AssistantRecommendation {
  /** It names links, so no language model sees or rewords it. */
  hidesFromModel?: true;
}

export interface Situation {
  figures: AssistantFigures;
  intent: Intent;
}

/** Looks for one thing in the figures; returns undefined if it is not there. */
export type Advise = (situation: Situation) => Recommendation | undefined;
