/**
 * Link definitions in Redis, shared by all servers: a miss in process costs Redis instead of Postgres. A change leaves
 * its version behind under the link's id, and a snapshot older than that is never stored, whoever read it when. A change of
 * an organization leaves its version under the organization's id, and no snapshot older than that is taken. A snapshot's
 * life is counted from when it was read from Postgres, however late Redis hears of it.
 *
 * All names bear the epoch of the database: what was stored in another one is nobody's any more. Each snapshot bears the end
 * that the database's log had when it was read; one from beyond the present end comes from a history that was lost. What a
 * script touches stands in one slot of a cluster, by the link's address in braces.
 *
 * States: away → syncing → present → away. What changed while Redis heard nobody may still lie there as it was; so each
 * new connection first tells Redis of all changes within the life of a snapshot, and only then is it read from. Where
 * those are too many, it is not read until every snapshot from before has expired. Changes are told in every state.
 *
 * Nothing waits for Redis longer than `COMMAND_MS_MAX`; after such a wait nothing waits for a second. A connection that
 * does not answer a beat is given up, and another one made. A crash loses nothing: Postgres has the truth.
 */
import type { LinkDefinition } from "@/core/routing/link";
import type { History } from "../db/connection/history";
import { SilentError, Wait } from "../db/connection/wait";
import { openRedis, type RedisClient } from "../redis/redis";
import type { LinkChange } from "./changes";

const COMMAND_MS_MAX = 100;
const PAUSE_MS = 1000;
const SNAPSHOT_MS = 600_000;
/** The clocks of the servers and of Redis differ by at most this. */
const CLOCKS_MS_APART = 60_000;
/** Longer than any snapshot lives, and than any load takes. */
const VERSION_S = (2 * SNAPSHOT_MS) / 1000;
const CONNECT_MS_MAX = 1500;
const BEAT_EVERY_MS = 1000;
const BEAT_MS_MAX = 1000;
const RETRY_AFTER_MS = 500;
const MISSED_CHANGES_MAX = 20_000;
const BEAT_KEY = "waymark:beat";
const MISSED_CHANGES_AT_ONCE = 500;
const TELL_MS_MAX = 10_000;

const STORE = `
if tonumber(redis.call("get", KEYS[2]) or "0") > tonumber(ARGV[1]) then return 0 end
redis.call("set", KEYS[1], ARGV[2])
return redis.call("pexpireat", KEYS[1], ARGV[3])`;

const CHANGE = `
local known = tonumber(redis.call("get", KEYS[2]) or "0")
if known < tonumber(ARGV[1]) then redis.call("set", KEYS[2], ARGV[1], "EX", ARGV[2]) end
return redis.call("del", KEYS[1])`;

export interface LinkSnapshotsOptions {
  url: string;
  /** The changes of the last `ms`, from Postgres; null when they are more than `linksMax`. */
  changesWithin(ms: number, linksMax: number): Promise<LinkChange[] | null>;
  /** Of the database that is copied. */
  history: Pick<History, "epoch" | "logEnd">;
  onError(error: unknown): void;
}

interface Snapshot {
  /** Of the database's log, when the definition was read. */
  logEnd: number;
  definition: LinkDefinition;
}

/** The first number is that of the definition's shape: a server of another version reads none of ours. */
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
  #pausedUntil = 0;
  #readableAt = 0;
  #running: Promise<void> | undefined;

  private constructor(options: LinkSnapshotsOptions) {
    this.#options = options;
  }

  /** Resolves once Redis is present, or the first try has failed. */
  static async open(options: LinkSnapshotsOptions): Promise<LinkSnapshots> {
    const snapshots = new LinkSnapshots(options);
    snapshots.#running = snapshots.#run();
    await snapshots.#first.promise;
    return snapshots;
  }

  get isAway(): boolean {
    return !this.#isPresent;
  }

  /** Null when there is none, or Redis cannot tell in time. */
  async get(key: string): Promise<LinkDefinition | null> {
    const { epoch, logEnd: logEndNow } = this.#options.history;
    if (epoch === null || Date.now() < this.#readableAt) return null;
    const text = await this.#ask((redis) => redis.get(snapshotKey(epoch, key)));
    if (!text) return null;
    const { definition, logEnd } = JSON.parse(text) as Snapshot;
    if (logEnd > logEndNow) return null;
    const orgVersion = await this.#ask((redis) => redis.get(versionKey(epoch, { id: definition.orgId, key: "" })));
    return orgVersion === undefined || Number(orgVersion) > definition.orgVersion ? null : definition;
  }

  /**
   * To be called before a definition is read from Postgres: returns what stores it, as of this moment and this epoch. That
   * never rejects.
   */
  reading(): (key: string, definition: LinkDefinition) => Promise<void> {
    const { epoch, logEnd } = this.#options.history;
    // By the system's clock: it is compared with that of Redis.
    const until = Date.now() + SNAPSHOT_MS;
    return async (key, definition) => {
      const { id, version } = definition;
      if (epoch === null) return;
      const snapshot: Snapshot = { logEnd, definition };
      const keys = [snapshotKey(epoch, key), versionKey(epoch, { id, key })];
      await this.#ask((redis) => redis.eval(STORE, keys.length, ...keys, version, JSON.stringify(snapshot), until));
    };
  }

  /** What is not told on this connection is told first on the next. Never rejects. */
  change(change: LinkChange): void {
    const { epoch } = this.#options.history;
    if (this.#redis && epoch !== null) putChange(this.#redis, epoch, change).catch(this.#options.onError);
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#wait.interrupt(new Error("The snapshots were closed"));
    await this.#running;
  }

  /** Undefined when Redis is away or does not answer in time. */
  async #ask<Result>(command: (redis: RedisClient) => Promise<Result>): Promise<Result | undefined> {
    if (!this.#redis || !this.#isPresent || Date.now() < this.#pausedUntil) return undefined;
    try {
      return await new Wait().until(command(this.#redis), COMMAND_MS_MAX);
    } catch (error) {
      if (error instanceof SilentError) this.#pausedUntil = Date.now() + PAUSE_MS;
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
        this.#options.onError(error);
        this.#first.resolve();
        await Bun.sleep(RETRY_AFTER_MS);
      }
    }
  }

  /** Runs for one connection's life and always rejects at its end. */
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
      await wait.until(this.#putMissed(redis), TELL_MS_MAX);
      await beat(wait, redis);
      this.#isPresent = true;
      this.#pausedUntil = 0;
      this.#first.resolve();
      for (;;) {
        await wait.pause(BEAT_EVERY_MS);
        await beat(wait, redis);
      }
    } finally {
      this.#isPresent = false;
      this.#redis = undefined;
      redis.disconnect();
    }
  }

  async #putMissed(redis: RedisClient): Promise<void> {
    const missed = await this.#options.changesWithin(SNAPSHOT_MS, MISSED_CHANGES_MAX);
    this.#readableAt = missed === null ? Date.now() + SNAPSHOT_MS + CLOCKS_MS_APART : 0;
    const { epoch } = this.#options.history;
    if (epoch === null) return;
    for (let from = 0; from < (missed?.length ?? 0); from += MISSED_CHANGES_AT_ONCE) {
      const some = missed?.slice(from, from + MISSED_CHANGES_AT_ONCE) ?? [];
      // The client gathers what is sent within a turn.
      await Promise.all(some.map((change) => putChange(redis, epoch, change)));
    }
  }
}

/** A write: where there can be none, no change can be told either. */
const beat = (wait: Wait, redis: RedisClient): Promise<unknown> =>
  wait.until(redis.set(BEAT_KEY, "1", "EX", VERSION_S), BEAT_MS_MAX);

function putChange(redis: RedisClient, epoch: string, change: LinkChange): Promise<unknown> {
  const keys = [snapshotKey(epoch, change.key || change.id), versionKey(epoch, change)];
  return redis.eval(CHANGE, keys.length, ...keys, change.version, VERSION_S);
}
