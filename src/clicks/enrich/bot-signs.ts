/**
 * Signs that a visit is no person's, and how much they weigh. Some a visit says of itself; the others are read off the
 * minute it comes in, by `judge`. A venue or a carrier behind one address is people: only what no crowd does counts as a
 * bot's, and a crowd itself is shown for review while it counts as people.
 */
import type { AgentBot } from "@/platform/user-agent";

export type BotReason = AgentBot | "head" | "prefetch" | "repeat" | "crowd" | "flood";

/** What each sign adds to the spam score, up to 100. Reviews begin at 70: what hides goes there, what says so does not. */
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

/** What one visitor may do on one link within a minute. */
export const REPEATS_MAX = 60;
/** Visits of one organization from one address within a minute: more are reviewed, and more than `FLOOD_MAX` are a bot's. */
export const CROWD_MAX = 120;
export const FLOOD_MAX = 600;
export const WINDOW_MS = 60_000;

export interface DeclaredSigns {
  agentBot: AgentBot | null;
  isHead: boolean;
  isPrefetch: boolean;
}

const NONE: readonly BotReason[] = Object.freeze([]);

/** What a visit says of itself. */
export function declaredReasons({ agentBot, isHead, isPrefetch }: DeclaredSigns): readonly BotReason[] {
  if (agentBot === null && !isHead && !isPrefetch) return NONE;
  const reasons: BotReason[] = [];
  if (agentBot) reasons.push(agentBot);
  if (isHead) reasons.push("head");
  if (isPrefetch) reasons.push("prefetch");
  return reasons;
}

/** Whether a visit that nobody has reviewed counts as a bot's. Rows of former releases have reasons of their own. */
export const countsAsBot = (reasons: readonly string[]): boolean => reasons.some((reason) => reason !== "crowd");

export function spamScore(reasons: readonly BotReason[]): number {
  return Math.min(
    SPAM_SCORE_MAX,
    reasons.reduce((sum, reason) => sum + SPAM_POINTS[reason], 0),
  );
}
