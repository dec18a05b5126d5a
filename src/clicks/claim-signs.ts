/** Claims that come too thick, in the windows of clicks. Kept by the process that answers them; see `bot-signs`. */
import { createBotSigns, type SuspectVisit } from "./bot-signs";

const AS_A_PERSON = { agentBot: null, isHead: false, isPrefetch: false };

/** Counts the claim, so that each is to be judged once. */
export function createClaimSigns(): (claim: Pick<SuspectVisit, "at" | "linkId" | "visitor">) => boolean {
  const { judge } = createBotSigns();
  return (claim) => judge({ ...claim, ...AS_A_PERSON }).reasons.length > 0;
}
