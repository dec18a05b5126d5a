/** Collects everything that the figures recommend for the goal, most urgent first. */
import { ASSISTANT_PRIORITIES } from "@/contract/analytics/ai";
import {
  adviseBestChannel,
  adviseBusiestChannel,
  adviseChannelTest,
  adviseSite,
  adviseTagging,
  adviseUnprovenChannel,
  adviseWorstChannel,
} from "./advise-channels";
import { adviseRate, adviseReturning, adviseTest, adviseThin, adviseTraffic, adviseUncounted } from "./advise-measure";
import { adviseDevice, adviseHours, adviseLanguage } from "./advise-visitors";
import { findingsOf } from "./findings";
import type { Advise, Recommendation, Situation } from "./recommendation";

export const RECOMMENDATIONS_MAX = 8;

/** Order of recommendations with the same urgency. */
const ADVISERS: Advise[] = [
  adviseThin,
  adviseUncounted,
  adviseRate,
  adviseBestChannel,
  adviseWorstChannel,
  adviseUnprovenChannel,
  adviseChannelTest,
  adviseBusiestChannel,
  adviseTraffic,
  adviseDevice,
  adviseReturning,
  adviseTagging,
  adviseLanguage,
  adviseHours,
  adviseSite,
];

export interface Advice {
  recommendations: Recommendation[];
  /** What to do first, without any names. */
  begin: string | undefined;
}

/** Puts faults and split-test winners first, as insights report them, and sorts the rest by urgency. */
export function advise(situation: Situation): Advice {
  const { first, others, begin } = findingsOf(situation.figures.found, situation.intent.name);
  const own = ADVISERS.map((look) => look(situation)).filter((one) => one !== undefined);
  const urgency = ({ priority }: Recommendation) => ASSISTANT_PRIORITIES.indexOf(priority);
  const rest = [...others, ...own].toSorted((a, b) => urgency(a) - urgency(b));
  const recommendations = [...first, ...rest].slice(0, RECOMMENDATIONS_MAX);
  const test = recommendations.length === 0 ? adviseTest(situation) : undefined;
  return test
    ? { recommendations: [test], begin: undefined }
    : { recommendations, begin: begin ?? beginning(recommendations) };
}

function beginning([first]: Recommendation[]): string | undefined {
  if (!first) return undefined;
  return first.hidesFromModel ? "First, check what stands out." : `First: ${lowerFirst(first.title)}.`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
