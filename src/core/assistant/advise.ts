/** All that the figures recommend for the goal, the most urgent first. */
import { ASSISTANT_PRIORITIES } from "@/contract/ai";
import { adviseBestChannel, adviseBusiestChannel, adviseSite, adviseTagging } from "./advise-channels";
import {
  adviseAgainstWorkspace,
  adviseRate,
  adviseReturning,
  adviseTest,
  adviseThin,
  adviseTraffic,
  adviseUncounted,
} from "./advise-measure";
import { adviseCountry, adviseDevice, adviseHours, adviseLanguage, adviseWeekday } from "./advise-visitors";
import type { Advise, Recommendation, Situation } from "./recommendation";

export const RECOMMENDATIONS_MAX = 6;

/** Of the same urgency in this order. */
const ADVISERS: Advise[] = [
  adviseThin,
  adviseUncounted,
  adviseRate,
  adviseBestChannel,
  adviseBusiestChannel,
  adviseTraffic,
  adviseDevice,
  adviseAgainstWorkspace,
  adviseReturning,
  adviseTagging,
  adviseLanguage,
  adviseCountry,
  adviseHours,
  adviseWeekday,
  adviseSite,
];

export function advise(situation: Situation): Recommendation[] {
  const found = ADVISERS.map((look) => look(situation)).filter((one) => one !== undefined);
  const urgency = ({ priority }: Recommendation) => ASSISTANT_PRIORITIES.indexOf(priority);
  const sorted = found.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, RECOMMENDATIONS_MAX);
  const test = sorted.length === 0 ? adviseTest(situation) : undefined;
  return test ? [test] : sorted;
}
