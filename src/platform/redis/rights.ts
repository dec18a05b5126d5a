/**
 * What the user of `REDIS_URL` must be allowed (Redis calls it ACL): our commands, also those that our scripts run, on
 * keys that begin with `waymark:`. Without this check, a Redis that refuses one of them would pass for one that works,
 * because each of its refusals alone is harmless.
 */
import type { RedisClient } from "./redis";

/** The Redis user may not do everything that Waymark does. */
export class MissingRightsError extends Error {
  override name = "MissingRightsError";

  /** In the form in which `ACL SETUSER` takes them. */
  constructor(readonly rights: string[]) {
    super(`REDIS_URL: its user needs more rights: ${rights.join(" ")}`);
  }
}

const KEPT_S = 60;
const KEY = "waymark:beat";
/** One of each kind of key that we use, all in one slot of a cluster. */
const KEYS = ["link", "link-version", "limit"].map((kind) => `waymark:${kind}:{${KEY}}`);
const COMMANDS: ((redis: RedisClient) => Promise<unknown>)[] = [
  (redis) => redis.set(KEY, "1", "EX", KEPT_S),
  (redis) => redis.get(KEY),
  (redis) => redis.incrby(KEY, 1),
  (redis) => redis.pexpire(KEY, KEPT_S * 1000),
  (redis) => redis.pexpireat(KEY, Date.now() + KEPT_S * 1000),
  (redis) => redis.pttl(KEY),
  (redis) => redis.eval("return 1", 1, KEY),
  ...KEYS.map((key) => (redis: RedisClient) => redis.del(key)),
];

/** Writes, too. Rejects with `MissingRightsError`, or with another error if Redis does not carry out the commands. */
export async function checkRights(redis: RedisClient): Promise<void> {
  const outcomes = await Promise.allSettled(COMMANDS.map((command) => command(redis)));
  const faults = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const rights = faults.map(rightOf);
  const missing = new Set(rights.filter((right) => right !== undefined));
  if (missing.size > 0) throw new MissingRightsError([...missing]);
  if (faults.length > 0) throw faults[0];
}

/** Returns the right without which Redis refused a command; undefined for another fault. */
function rightOf(fault: unknown): string | undefined {
  const message = fault instanceof Error ? fault.message : "";
  if (!message.startsWith("NOPERM")) return undefined;
  const [, command] = / run the '([^']+)' command/.exec(message) ?? [];
  return command === undefined ? "~waymark:*" : `+${command}`;
}
