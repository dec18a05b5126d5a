/**
 * Signs that a visit was not made by a person, and their weights. A visit declares some of them itself; `judge`
 * derives the others from what else arrives within the same minute. Many people share one address at a venue or
 * behind a carrier, so only what no crowd would do counts as a bot's. A crowd counts as people and is offered for
 * review.
 */
import type { AgentBot } from "@/platform/user-agent";

export type BotReason = AgentBot | "head" | "prefetch" | "repeat" | "crowd" | "flood";

/**
 * What each sign adds to the spam score, which is at most 100. Clicks are reviewed from 70 on: bots that hide reach
 * that score, those that declare themselves do not.
 */
const SPAM_POINTS: Record<BotReason, number> = {
  crawler: 20,
  no_user_agent: 40,
  head: 10,
  prefetch: 10,
  repeat: 80,
  crowd: 70,
  flood: 90,
};
const SPAM_SCORE_MAX = 100;

/** Visits of one visitor to one link within a minute. */
export const REPEATS_MAX = 60;
/**
 * Visits to one organization from one address within a minute. More are reviewed; more than `FLOOD_MAX` count as a
 * bot's.
 */
export const CROWD_MAX = 120;
export const FLOOD_MAX = 600;
export const WINDOW_MS = 60_000;

export interface DeclaredSigns {
  agentBot: AgentBot | null;
  isHead: boolean;
  isPrefetch: boolean;
}

const NONE: readonly BotReason[] = Object.freeze([]);

/** Returns the signs that a visit declares itself. */
export function declaredReasons({ agentBot, isHead, isPrefetch }: DeclaredSigns): readonly BotReason[] {
  if (agentBot === null && !isHead && !isPrefetch) return NONE;
  const reasons: BotReason[] = [];
  if (agentBot) reasons.push(agentBot);
  if (isHead) reasons.push("head");
  if (isPrefetch) reasons.push("prefetch");
  return reasons;
}

/** True if a visit that nobody has reviewed counts as a bot's. Rows of former releases have other reasons, too. */
export const countsAsBot = (reasons: readonly string[]): boolean => reasons.some((reason) => reason !== "crowd");

export function spamScore(reasons: readonly BotReason[]): number {
  return Math.min(
    SPAM_SCORE_MAX,
    reasons.reduce((sum, reason) => sum + SPAM_POINTS[reason], 0),
  );
}
