/**
 * Counts for limits, kept in Redis and shared by all servers. A take is one script, which counts and decides
 * atomically; a key lives as long as its window. Nothing waits for Redis longer than `waitMsMax`: after a failure,
 * Redis is treated as away for `AWAY_MS` before it is called again, and at most `UNDER_WAY_MAX` calls are open at a
 * time. Once a call was given up, Redis is away until it has answered a read in time, for which nobody waits. Losing
 * Redis loses the counts of the current windows.
 */
import { openRedis, type RedisClient } from "../redis/redis";

const CONNECT_TIMEOUT_MS = 2000;
const AWAY_MS = 1000;
const UNDER_WAY_MAX = 1000;

/**
 * A negative cost gives back. A refused take is not counted. A count never stays without an end: one could be left by a
 * Redis that refused `pexpire` to its user for a while.
 */
const TAKE = `
local cost = tonumber(ARGV[1])
local count = tonumber(redis.call("get", KEYS[1]) or "0")
local isTaken = count + cost <= tonumber(ARGV[2]) and count + cost >= 0
if isTaken then count = redis.call("incrby", KEYS[1], cost) end
local left = redis.call("pttl", KEYS[1])
if count > 0 and left < 0 then
  redis.call("pexpire", KEYS[1], ARGV[3])
  left = tonumber(ARGV[3])
end
return { isTaken and 1 or 0, count, left }`;

export interface SharedTake {
  key: string;
  cost: number;
  limit: number;
  windowMs: number;
}

export interface SharedCount {
  isTaken: boolean;
  /** Total of all servers, including this take. */
  count: number;
  /** Milliseconds until the window ends; negative if none has begun. */
  leftMs: number;
}

export interface SharedCounts extends Disposable {
  /** Resolves to undefined if Redis does not respond in time; it may have counted nevertheless. Never rejects. */
  take(take: SharedTake): Promise<SharedCount | undefined>;
  isAway(): boolean;
}

export interface SharedCountOptions {
  url: string;
  /** Part of every key. */
  database: string;
  waitMsMax: number;
  /** Called once when Redis stops counting, not for each try until it does again. */
  onError(error: unknown): void;
  /** Called when Redis has counted again after that. */
  onReturned(): void;
}

export function openSharedCounts(options: SharedCountOptions): SharedCounts {
  const { url, database, waitMsMax, onError, onReturned } = options;
  let isClosed = false;
  let isCounting = true;
  let redis: RedisClient | undefined;
  const onEnd = (error: unknown) => {
    if (isCounting && !isClosed) onError(error);
    isCounting = false;
  };
  const opening = openRedis(url, {
    commandTimeout: waitMsMax,
    connectTimeout: CONNECT_TIMEOUT_MS,
    isRenewed: true,
    onEnd,
  });
  opening.then((opened) => {
    redis = opened;
    if (isClosed) opened.disconnect();
  }, onEnd);
  /** By the monotonic clock. */
  let awayUntil = 0;
  let underWay = 0;
  let isLate = false;

  const isAway = () =>
    redis?.status !== "ready" || underWay >= UNDER_WAY_MAX || isLate || performance.now() < awayUntil;

  const failed = (error: unknown, key: string) => {
    onEnd(error);
    awayUntil = performance.now() + AWAY_MS;
    if (isLate || !isGivenUp(error)) return;
    isLate = true;
    setTimeout(tryAgain, AWAY_MS, key).unref();
  };

  /** A connection that was lost meanwhile makes it away in any case. */
  const tryAgain = async (key: string) => {
    isLate = !isClosed && (await redis?.get(key).then(() => false, isGivenUp)) === true;
    if (isLate) setTimeout(tryAgain, AWAY_MS, key).unref();
  };

  const counted = (count: SharedCount): SharedCount => {
    if (!isCounting) onReturned();
    isCounting = true;
    return count;
  };

  const take = async ({ key, cost, limit, windowMs }: SharedTake): Promise<SharedCount | undefined> => {
    if (!redis || isAway()) return undefined;
    underWay += 1;
    const counter = `waymark:limit:${database}:${key}`;
    try {
      return counted(readCount(await redis.eval(TAKE, 1, counter, cost, limit, windowMs)));
    } catch (error) {
      failed(error, counter);
      return undefined;
    } finally {
      underWay -= 1;
    }
  };

  return {
    take,
    isAway,
    [Symbol.dispose]() {
      isClosed = true;
      redis?.disconnect();
    },
  };
}

/** Whether a command took longer than `commandTimeout`. The driver's error has no code. */
const isGivenUp = (error: unknown): boolean => error instanceof Error && error.message === "Command timed out";

function readCount(reply: unknown): SharedCount {
  if (!Array.isArray(reply)) throw new Error("Redis returned an unexpected result for a limit");
  const [isTaken, count, leftMs] = reply.map(Number);
  return { isTaken: isTaken === 1, count: count ?? 0, leftMs: leftMs ?? 0 };
}
