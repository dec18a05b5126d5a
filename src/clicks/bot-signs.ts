/**
 * Signs that a visit is no person's, and how much they weigh. Besides what a request says of itself, two are read off the
 * recent past: bursts (one visitor, many clicks anywhere) and repeats (one visitor, one link, again and again). That past
 * is kept in memory for a bounded number of visitors and counted by the records' own times, so that a spool applied late
 * is judged as it would have been at once. A crash forgets it: a burst then begins to be seen anew.
 */
import { type BoundedMap, createBoundedMap } from "@/platform/bounded-map";
import type { AgentBot } from "@/platform/user-agent";

export type BotReason = AgentBot | "head" | "prefetch" | "burst" | "repeat";

/** What each sign adds to the spam score, up to 100. Abuse reviews begin at 70: what hides goes there, what says so not. */
export const SPAM_POINTS: Record<BotReason, number> = {
  crawler: 20,
  no_user_agent: 40,
  head: 10,
  prefetch: 10,
  burst: 70,
  repeat: 50,
};
const SPAM_SCORE_MAX = 100;

export const BURST_CLICKS_MAX = 30;
export const BURST_WINDOW_MS = 10_000;
export const REPEAT_CLICKS_MAX = 10;
export const REPEAT_WINDOW_MS = 60_000;
const VISITORS_MAX = 100_000;

export interface SuspectVisit {
  at: number;
  linkId: string;
  /** The visitor's key. */
  visitor: string;
  agentBot: AgentBot | null;
  isHead: boolean;
  isPrefetch: boolean;
}

export interface Verdict {
  reasons: readonly BotReason[];
  spamScore: number;
}

const CLEAN: Verdict = Object.freeze({ reasons: [], spamScore: 0 });

export function createBotSigns(): { judge(visit: SuspectVisit): Verdict } {
  const bursts = createWindow(BURST_CLICKS_MAX, BURST_WINDOW_MS);
  const repeats = createWindow(REPEAT_CLICKS_MAX, REPEAT_WINDOW_MS);

  /** Counts the visit, so that each is to be judged once. */
  const judge = ({ at, linkId, visitor, agentBot, isHead, isPrefetch }: SuspectVisit): Verdict => {
    const isBurst = bursts.exceeds(visitor, at);
    const isRepeat = repeats.exceeds(visitor + linkId, at);
    if (agentBot === null && !isHead && !isPrefetch && !isBurst && !isRepeat) return CLEAN;
    const reasons: BotReason[] = [];
    if (agentBot) reasons.push(agentBot);
    if (isHead) reasons.push("head");
    if (isPrefetch) reasons.push("prefetch");
    if (isBurst) reasons.push("burst");
    if (isRepeat) reasons.push("repeat");
    return { reasons, spamScore: spamScore(reasons) };
  };
  return { judge };
}

export function spamScore(reasons: readonly BotReason[]): number {
  return Math.min(
    SPAM_SCORE_MAX,
    reasons.reduce((sum, reason) => sum + SPAM_POINTS[reason], 0),
  );
}

/** Whether a key comes more than `countMax` times within `windowMs`. Keeps the last `countMax` times of each key, no more. */
function createWindow(countMax: number, windowMs: number) {
  const recent: BoundedMap<string, number[]> = createBoundedMap(VISITORS_MAX);
  const exceeds = (key: string, at: number): boolean => {
    const times = recent.get(key);
    if (!times) {
      recent.set(key, [at]);
      return false;
    }
    times.push(at);
    if (times.length <= countMax) return false;
    const before = times.shift() ?? at;
    return Math.abs(at - before) < windowMs;
  };
  return { exceeds };
}
