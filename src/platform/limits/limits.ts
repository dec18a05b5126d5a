/**
 * Limits how often something may happen within a window, by key (an address, an account, an API key). Counts in
 * process and, if there is Redis, across all servers.
 *
 * - `take` is for callers that may wait: Redis decides. `takeNow` is for callers that may not: this process decides
 *   by the counts it has, then reports to Redis in the background and learns what the others took, so that a key over
 *   the limit elsewhere is soon refused here.
 * - While Redis is away, each process allows `AWAY_SHARE` of the limit on its own: never unlimited, and never a wait.
 * - Bounds: `KEYS_MAX` keys per limiter in process; in Redis, a key lives as long as its window.
 *
 * A crash loses the counts that exist only in process. `rate-limiter-flexible` was considered and rejected: in
 * process it keeps a timer per key in an unbounded map, which a flood of addresses fills; its limits are per limiter,
 * not per call; and it has no method that does not wait.
 */
import type { Clock } from "../clock";
import { openSharedCounts, type SharedCounts } from "./shared-counts";
import { createWindows, type Window } from "./windows";

export interface LimitVerdict {
  ok: boolean;
  /** The limit that was applied: lower than the one requested while Redis is away. */
  limit: number;
  remaining: number;
  /** End of the window, Unix milliseconds. */
  resetAt: number;
  /** Seconds until the window ends, at least 1. */
  retryAfterSeconds: number;
}

export interface Limiter {
  /** Waits for Redis if there is one, for at most 100 ms. Never rejects. A refused take counts nothing. */
  take(key: string, limit: number, cost?: number): Promise<LimitVerdict>;
  /** As `take`, but decides immediately, by the counts that this process has. */
  takeNow(key: string, limit: number, cost?: number): LimitVerdict;
  /** Returns what `takeNow` would, without counting anything. */
  peek(key: string, limit: number, cost?: number): LimitVerdict;
  /**
   * Undoes a take of this process within its window. Another process that has already learned that the limit is
   * reached goes on refusing until the window ends.
   */
  giveBack(key: string, cost?: number): void;
}

export interface LimiterOptions {
  /** Names the counts in Redis. Must be unique among limiters. */
  name: string;
  windowMs: number;
  keysMax?: number;
}

export interface Limits extends Disposable {
  limiter(options: LimiterOptions): Limiter;
  /** May be called twice. Limiters go on working in process. */
  [Symbol.dispose](): void;
}

export interface LimitsOptions {
  clock: Clock;
  /** Null: each process counts on its own. */
  redisUrl: string | null;
  /** Identifies the database: servers with another one may use the same Redis, and count apart. */
  database: string;
  /** Milliseconds that a take waits for Redis at most. */
  waitMsMax?: number;
  /** Called once when Redis stops counting, and `onReturned` when it has counted again. */
  onError(error: unknown): void;
  onReturned?(): void;
}

const WAIT_MS_MAX = 100;
const KEYS_MAX = 100_000;
const AWAY_SHARE = 0.5;

export function openLimits(options: LimitsOptions): Limits {
  const { clock, redisUrl: url, database, waitMsMax = WAIT_MS_MAX, onError, onReturned = () => undefined } = options;
  const shared = url === null ? undefined : openSharedCounts({ url, database, waitMsMax, onError, onReturned });
  return {
    limiter: (options) => createLimiter(options, clock, shared),
    [Symbol.dispose]: () => shared?.[Symbol.dispose](),
  };
}

function createLimiter({ name, windowMs, keysMax = KEYS_MAX }: LimiterOptions, clock: Clock, shared?: SharedCounts) {
  const windows = createWindows(windowMs, keysMax);
  const allowed = (limit: number) => (shared?.isAway() ? Math.ceil(limit * AWAY_SHARE) : limit);

  const judge = (window: Window | undefined, limit: number, cost: number): LimitVerdict => {
    const now = clock();
    const used = window ? window.own + window.others : 0;
    return verdictOn(used, limit, cost, now, window?.endsAt ?? now + windowMs);
  };

  const takeHere = (key: string, limit: number, cost: number): { window: Window; verdict: LimitVerdict } => {
    const window = windows.open(key, clock());
    const verdict = judge(window, limit, cost);
    if (!verdict.ok) return { window, verdict };
    window.own += cost;
    return { window, verdict: { ...verdict, remaining: verdict.remaining - cost } };
  };

  /**
   * Reports whether all servers together allow what this one has already taken; undefined if Redis does not respond.
   */
  const takeShared = async (window: Window, key: string, limit: number, cost: number): Promise<boolean | undefined> => {
    const answer = await shared?.take({ key: `${name}:${key}`, cost, limit, windowMs });
    if (!answer) return undefined;
    // What is given back is off this process's count even if Redis no longer had it.
    if (answer.isTaken || cost < 0) window.confirmed = Math.max(0, window.confirmed + cost);
    else window.own -= cost;
    learn(window, answer.count);
    if (answer.leftMs > 0) window.endsAt = clock() + answer.leftMs;
    return answer.isTaken;
  };

  const takeNow = (key: string, limit: number, cost = 1): LimitVerdict => {
    const { window, verdict } = takeHere(key, allowed(limit), cost);
    if (shared && verdict.ok) void takeShared(window, key, limit, cost);
    return verdict;
  };

  const take = async (key: string, limit: number, cost = 1): Promise<LimitVerdict> => {
    const isAlone = !shared || shared.isAway();
    const { window, verdict } = takeHere(key, allowed(limit), cost);
    if (isAlone || !verdict.ok) return verdict;
    const isTaken = await takeShared(window, key, limit, cost);
    if (isTaken === undefined) return judgeWithoutRedis(window, limit, cost);
    return { ...judge(window, limit, 0), ok: isTaken };
  };

  /** Redis went away meanwhile: judges what was taken here by the reduced limit. */
  const judgeWithoutRedis = (window: Window, limit: number, cost: number): LimitVerdict => {
    const verdict = judge(window, allowed(limit), 0);
    if (!verdict.ok) window.own -= cost;
    return verdict;
  };

  const giveBack = (key: string, cost = 1): void => {
    const window = windows.find(key, clock());
    if (!window) return;
    window.own = Math.max(0, window.own - cost);
    if (shared) void takeShared(window, key, Number.MAX_SAFE_INTEGER, -cost);
  };

  return {
    take,
    takeNow,
    giveBack,
    peek: (key: string, limit: number, cost = 1) => judge(windows.find(key, clock()), allowed(limit), cost),
  } satisfies Limiter;
}

/**
 * Takes over the shared count. If it is less than what it is known to include, Redis has begun a new window, because a
 * window ends there slightly earlier than here: what was taken in the one before no longer counts.
 */
function learn(window: Window, count: number): void {
  const ended = Math.max(0, window.confirmed - count);
  window.own = Math.max(0, window.own - ended);
  window.confirmed -= ended;
  window.others = count - window.confirmed;
}

const verdictOn = (used: number, limit: number, cost: number, now: number, resetAt: number): LimitVerdict => ({
  ok: used + cost <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetAt,
  retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000)),
});
