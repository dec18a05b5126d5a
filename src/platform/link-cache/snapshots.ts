/**
 * Link definitions in Redis, shared by all servers: a miss in process costs Redis instead of Postgres. A change leaves
 * its version behind under the link's id (or its organization's), and a snapshot older than that is never stored, whoever
 * read it when, nor taken where it was stored before. A
 * snapshot's life is counted from when it was read from Postgres, however late Redis hears of it.
 *
 * States: away → syncing → present → away. What changed while Redis heard nobody may still lie there as it was; so each
 * new connection first tells Redis of all changes within the life of a snapshot, and only then is it read from. Where
 * those are too many, it is not read until every snapshot from before has expired. Changes are told in every state.
 *
 * Nothing waits for Redis longer than `COMMAND_MS_MAX`; after such a wait nothing waits for a second. A connection that
 * does not answer a beat is given up, and another one made. A crash loses nothing: Postgres has the truth.
 */
import { Redis } from "ioredis";
import type { LinkDefinition } from "@/core/link";
import { SilentError, Wait } from "@/platform/db/wait";
import type { LinkChange } from "./changes";

const COMMAND_MS_MAX = 100;
const PAUSE_MS = 1000;
const SNAPSHOT_MS = 600_000;
/** The clocks of the servers and of Redis agree to this. */
const CLOCKS_MS_APART = 60_000;
/** Longer than any snapshot lives, and than any load takes. */
const VERSION_S = (2 * SNAPSHOT_MS) / 1000;
const CONNECT_MS_MAX = 1500;
const BEAT_EVERY_MS = 1000;
const BEAT_MS_MAX = 1000;
const RETRY_AFTER_MS = 500;
const MISSED_CHANGES_MAX = 20_000;
const MISSED_CHANGES_AT_ONCE = 500;
const TELL_MS_MAX = 10_000;

const STORE = `
if tonumber(redis.call("get", KEYS[2]) or "0") > tonumber(ARGV[1]) then return 0 end
if tonumber(redis.call("get", KEYS[3]) or "0") > tonumber(ARGV[2]) then return 0 end
redis.call("set", KEYS[1], ARGV[3])
return redis.call("pexpireat", KEYS[1], ARGV[4])`;

const CHANGE = `
local known = tonumber(redis.call("get", KEYS[2]) or "0")
if known < tonumber(ARGV[1]) then redis.call("set", KEYS[2], ARGV[1], "EX", ARGV[2]) end
return redis.call("del", KEYS[1])`;

export interface LinkSnapshotsOptions {
  url: string;
  /** The changes of the last `ms`, from Postgres; null when they are more than `linksMax`. */
  changesWithin(ms: number, linksMax: number): Promise<LinkChange[] | null>;
  onError(error: unknown): void;
}

/** The number is that of the definition's shape: a server of another version reads none of ours. */
const snapshotKey = (key: string) => `waymark:link:3:${key}`;
const versionKey = (id: string) => `waymark:link-version:${id}`;

export class LinkSnapshots {
  readonly #options: LinkSnapshotsOptions;
  readonly #first = Promise.withResolvers<void>();
  #redis: Redis | undefined;
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
    if (Date.now() < this.#readableAt) return null;
    const text = await this.#ask((redis) => redis.get(snapshotKey(key)));
    if (!text) return null;
    const definition = JSON.parse(text) as LinkDefinition;
    const orgVersion = await this.#ask((redis) => redis.get(versionKey(definition.orgId)));
    return orgVersion === undefined || Number(orgVersion) > definition.orgVersion ? null : definition;
  }

  /** `readAt`: before it was read from Postgres, in Unix milliseconds. Never rejects. */
  async put(key: string, definition: LinkDefinition, readAt: number): Promise<void> {
    const { id, version, orgId, orgVersion } = definition;
    const keys = [snapshotKey(key), versionKey(id), versionKey(orgId)];
    const values = [version, orgVersion, JSON.stringify(definition), readAt + SNAPSHOT_MS];
    await this.#ask((redis) => redis.eval(STORE, keys.length, ...keys, ...values));
  }

  /** What is not told on this connection is told first on the next. Never rejects. */
  change({ id, version, key }: LinkChange): void {
    const told = this.#redis?.eval(CHANGE, 2, snapshotKey(key), versionKey(id), version, VERSION_S);
    told?.catch(this.#options.onError);
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#wait.interrupt(new Error("The snapshots were closed"));
    await this.#running;
  }

  /** Undefined when Redis is away or does not answer in time. */
  async #ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result | undefined> {
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

  /** One connection's life. Always ends with a rejection. */
  async #live(wait: Wait): Promise<never> {
    const redis = connect(this.#options.url, (error) => wait.interrupt(error));
    try {
      await wait.until(redis.connect(), CONNECT_MS_MAX);
      this.#redis = redis;
      await wait.until(this.#tellMissed(redis), TELL_MS_MAX);
      this.#isPresent = true;
      this.#pausedUntil = 0;
      this.#first.resolve();
      for (;;) {
        await wait.pause(BEAT_EVERY_MS);
        await wait.until(redis.ping(), BEAT_MS_MAX);
      }
    } finally {
      this.#isPresent = false;
      this.#redis = undefined;
      redis.disconnect();
    }
  }

  async #tellMissed(redis: Redis): Promise<void> {
    const missed = await this.#options.changesWithin(SNAPSHOT_MS, MISSED_CHANGES_MAX);
    this.#readableAt = missed === null ? Date.now() + SNAPSHOT_MS + CLOCKS_MS_APART : 0;
    for (let from = 0; from < (missed?.length ?? 0); from += MISSED_CHANGES_AT_ONCE) {
      const pipeline = redis.pipeline();
      for (const { id, version, key } of missed?.slice(from, from + MISSED_CHANGES_AT_ONCE) ?? [])
        pipeline.eval(CHANGE, 2, snapshotKey(key), versionKey(id), version, VERSION_S);
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    }
  }
}

/** For one life: it neither reconnects nor keeps commands back. */
function connect(url: string, onEnd: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    disconnectTimeout: 100,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on("error", onEnd);
  redis.on("close", () => onEnd(new Error("The connection to Redis was closed")));
  return redis;
}
