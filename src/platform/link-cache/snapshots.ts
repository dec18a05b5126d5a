/**
 * Link definitions in Redis, shared by all servers: a miss in process costs a request to Redis instead of Postgres. A
 * change stores its version under the link's id, and a snapshot older than that is never stored, no matter which
 * server read it and when. A change of an organization stores its version under the organization's id, and a snapshot
 * older than that is not used. A snapshot's lifetime begins when it is read from Postgres, however late Redis
 * receives it, and is no longer in Redis if the server's clock is ahead.
 *
 * All keys contain the epoch of the database, so snapshots of another epoch are never read. Each snapshot contains
 * the end of the database's log when it was read; a snapshot from beyond the present end belongs to a history that
 * was lost. The keys of one script share a slot of a cluster, by the link's address in braces.
 *
 * States: away → syncing → present ⇄ slow → away. Snapshots of links that changed while no server was connected to Redis may
 * still be there. So each new connection first sends Redis all changes within the lifetime of a snapshot, and Redis
 * is read only after that. If there are too many changes, Redis is not read until every earlier snapshot has expired.
 * New changes are sent as soon as there is a connection, also while syncing.
 *
 * A command to Redis is given up after `COMMAND_MS_MAX`; Redis is then not asked for a second. If
 * `BEATS_TO_AGREE` beats in a row take longer, Redis is slow, and not asked until as many are in time; changes are sent
 * all the same. A connection that does not answer a beat is replaced. A crash loses nothing: all of this is read from
 * Postgres again.
 */
import type { LinkDefinition } from "@/core/routing/link";
import type { History } from "../db/connection/history";
import { SilentError, Wait } from "../db/connection/wait";
import { openRedis, type RedisClient } from "../redis/redis";
import { checkRights, MissingRightsError } from "../redis/rights";
import type { LinkChange } from "./changes";

const COMMAND_MS_MAX = 100;
const PAUSE_MS = 1000;
const SNAPSHOT_MS = 600_000;
/** The clocks of the servers and of Redis differ by at most this. */
const CLOCKS_MS_APART = 60_000;
/** Longer than any snapshot lives and any load takes. */
const VERSION_S = (2 * SNAPSHOT_MS) / 1000;
const CONNECT_MS_MAX = 1500;
const BEAT_EVERY_MS = 1000;
const BEAT_MS_MAX = 1000;
/** On a busy machine, a few may be late. */
const BEATS_TO_AGREE = 10;
const RETRY_AFTER_MS = 500;
const MISSED_CHANGES_MAX = 20_000;
const MISSED_CHANGES_AT_ONCE = 500;
const TELL_MS_MAX = 10_000;
const AWAY = "Redis is unavailable";
const SLOW = `Redis takes more than ${COMMAND_MS_MAX} ms to respond, and is not used`;

const STORE = `
if tonumber(redis.call("get", KEYS[2]) or "0") > tonumber(ARGV[1]) then return 0 end
redis.call("set", KEYS[1], ARGV[2])
redis.call("pexpireat", KEYS[1], ARGV[3])
if redis.call("pttl", KEYS[1]) > tonumber(ARGV[4]) then redis.call("pexpire", KEYS[1], ARGV[4]) end
return 1`;

const CHANGE = `
local known = tonumber(redis.call("get", KEYS[2]) or "0")
if known < tonumber(ARGV[1]) then redis.call("set", KEYS[2], ARGV[1], "EX", ARGV[2]) end
return redis.call("del", KEYS[1])`;

export interface LinkSnapshotsOptions {
  url: string;
  /** Returns the changes of the last `ms` from Postgres; null if there are more than `linksMax`. */
  changesWithin(ms: number, linksMax: number): Promise<LinkChange[] | null>;
  /** The history of the database that is cached. */
  history: Pick<History, "epoch" | "logEnd">;
  /** A command failed. */
  onError(error: unknown): void;
  /** Redis cannot be used. Called once for each fault, not for each try until it can be used again. */
  onAway(error: unknown): void;
  /** Redis can be used again. */
  onReturned(): void;
  /** Milliseconds between beats. Tests shorten it. */
  beatEveryMs?: number;
}

/** Redis works, but each visitor who asks it waits in vain. */
export class SlowError extends Error {
  override name = "SlowError";
}

interface Snapshot {
  /** The end of the database's log when the definition was read. */
  logEnd: number;
  definition: LinkDefinition;
}

/** The number is the version of the definition's shape: servers with another shape do not read our snapshots. */
const snapshotKey = (epoch: string, key: string) => `waymark:link:6:${epoch}:{${key}}`;
const versionKey = (epoch: string, { id, key }: Pick<LinkChange, "id" | "key">) =>
  `waymark:link-version:${epoch}:{${key || id}}:${id}`;

export class LinkSnapshots {
  readonly #options: LinkSnapshotsOptions;
  readonly #first = Promise.withResolvers<void>();
  #redis: RedisClient | undefined;
  #wait = new Wait();
  #isStopped = false;
  #isPresent = false;
  #fault = AWAY;
  /** What `onAway` was called for since Redis could last be used. */
  readonly #told = new Set<string>();
  /** These times are by the monotonic clock. */
  #pausedUntil = 0;
  #readableAt = 0;
  #running: Promise<void> | undefined;

  private constructor(options: LinkSnapshotsOptions) {
    this.#options = options;
  }

  /** Resolves once Redis is present, or the first attempt has failed. */
  static async open(options: LinkSnapshotsOptions): Promise<LinkSnapshots> {
    const snapshots = new LinkSnapshots(options);
    snapshots.#running = snapshots.#run();
    await snapshots.#first.promise;
    return snapshots;
  }

  /** Says in a few words why Redis cannot be used; undefined while it can. */
  get fault(): string | undefined {
    return this.#isPresent ? undefined : this.#fault;
  }

  /** Returns null if there is no usable snapshot, or if Redis does not respond in time. */
  async get(key: string): Promise<LinkDefinition | null> {
    const { epoch, logEnd: logEndNow } = this.#options.history;
    if (epoch === null || performance.now() < this.#readableAt) return null;
    const text = await this.#ask((redis) => redis.get(snapshotKey(epoch, key)));
    if (!text) return null;
    const { definition, logEnd } = JSON.parse(text) as Snapshot;
    if (logEnd > logEndNow) return null;
    const orgVersion = await this.#ask((redis) => redis.get(versionKey(epoch, { id: definition.orgId, key: "" })));
    return orgVersion === undefined || Number(orgVersion) > definition.orgVersion ? null : definition;
  }

  /**
   * Call this before a definition is read from Postgres. Returns a function that stores the definition as of this
   * moment and epoch, and never rejects.
   */
  reading(): (key: string, definition: LinkDefinition) => Promise<void> {
    const { epoch, logEnd } = this.#options.history;
    // The system's clock, because it is compared with that of Redis.
    const until = Date.now() + SNAPSHOT_MS;
    return async (key, definition) => {
      const { id, version } = definition;
      if (epoch === null) return;
      const snapshot: Snapshot = { logEnd, definition };
      const keys = [snapshotKey(epoch, key), versionKey(epoch, { id, key })];
      const values = [version, JSON.stringify(snapshot), until, SNAPSHOT_MS];
      await this.#ask((redis) => redis.eval(STORE, keys.length, ...keys, ...values));
    };
  }

  /**
   * Sends a change without waiting. A change that cannot be sent on this connection, or that Redis refuses there, is
   * sent first on the next. Never throws.
   */
  change(change: LinkChange): void {
    const { epoch } = this.#options.history;
    const wait = this.#wait;
    if (!this.#redis || epoch === null) return;
    putChange(this.#redis, epoch, change).catch((error: Error) => {
      this.#options.onError(error);
      wait.interrupt(error);
    });
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#wait.interrupt(new Error("The snapshots were closed"));
    await this.#running;
  }

  /** Returns undefined if Redis is unavailable or does not respond in time. */
  async #ask<Result>(command: (redis: RedisClient) => Promise<Result>): Promise<Result | undefined> {
    if (!this.#redis || !this.#isPresent || performance.now() < this.#pausedUntil) return undefined;
    try {
      return await new Wait().until(command(this.#redis), COMMAND_MS_MAX);
    } catch (error) {
      if (error instanceof SilentError) this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#options.onError(error);
      return undefined;
    }
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#wait = new Wait();
      try {
        await this.#live(this.#wait);
      } catch (error) {
        if (this.#isStopped) return;
        this.#tell(error);
        this.#first.resolve();
        await Bun.sleep(RETRY_AFTER_MS);
      }
    }
  }

  /** Runs for the life of one connection and always rejects at its end. */
  async #live(wait: Wait): Promise<never> {
    const redis = await openRedis(this.#options.url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS_MAX,
      isRenewed: false,
      onEnd: (error) => wait.interrupt(error),
    });
    try {
      await wait.until(redis.connect(), CONNECT_MS_MAX);
      this.#redis = redis;
      await beat(wait, redis);
      await wait.until(this.#putMissed(redis), TELL_MS_MAX);
      this.#becomePresent();
      this.#first.resolve();
      for (let against = 0; ; ) {
        await wait.pause(this.#options.beatEveryMs ?? BEAT_EVERY_MS);
        const isInTime = await beat(wait, redis);
        against = isInTime === this.#isPresent ? 0 : against + 1;
        if (against < BEATS_TO_AGREE) continue;
        against = 0;
        if (isInTime) this.#becomePresent();
        else this.#becomeSlow();
      }
    } finally {
      this.#isPresent = false;
      this.#redis = undefined;
      redis.disconnect();
    }
  }

  #becomePresent(): void {
    this.#isPresent = true;
    this.#pausedUntil = 0;
    if (this.#told.size > 0) this.#options.onReturned();
    this.#told.clear();
  }

  #becomeSlow(): void {
    this.#isPresent = false;
    this.#tell(new SlowError(SLOW));
  }

  #tell(error: unknown): void {
    this.#fault = faultOf(error);
    if (!this.#told.has(this.#fault)) this.#options.onAway(error);
    this.#told.add(this.#fault);
  }

  async #putMissed(redis: RedisClient): Promise<void> {
    const missed = await this.#options.changesWithin(SNAPSHOT_MS, MISSED_CHANGES_MAX);
    this.#readableAt = missed === null ? performance.now() + SNAPSHOT_MS + CLOCKS_MS_APART : 0;
    const { epoch } = this.#options.history;
    if (epoch === null) return;
    for (let from = 0; from < (missed?.length ?? 0); from += MISSED_CHANGES_AT_ONCE) {
      const some = missed?.slice(from, from + MISSED_CHANGES_AT_ONCE) ?? [];
      // The client sends all commands of one event-loop turn together.
      await Promise.all(some.map((change) => putChange(redis, epoch, change)));
    }
  }
}

/**
 * Does what Redis must let us do, because one that refuses it cannot be sent changes, or counts no limits. Resolves to
 * whether that took no longer than a command may.
 */
async function beat(wait: Wait, redis: RedisClient): Promise<boolean> {
  const work = checkRights(redis);
  const isInTime = new Wait().until(work, COMMAND_MS_MAX).then(
    () => true,
    () => false,
  );
  await wait.until(work, BEAT_MS_MAX);
  return isInTime;
}

/** The error itself may name hosts and users. Redis begins each of its refusals with a code. */
function faultOf(error: unknown): string {
  if (error instanceof SlowError) return error.message;
  if (error instanceof MissingRightsError) return `the Redis user needs more rights: ${error.rights.join(" ")}`;
  const [code] =
    error instanceof Error && error.name === "ReplyError" ? (/^[A-Z]{3,}\b/.exec(error.message) ?? []) : [];
  return code === undefined ? AWAY : `Redis refuses to work: ${code}`;
}

function putChange(redis: RedisClient, epoch: string, change: LinkChange): Promise<unknown> {
  const keys = [snapshotKey(epoch, change.key || change.id), versionKey(epoch, change)];
  return redis.eval(CHANGE, keys.length, ...keys, change.version, VERSION_S);
}
