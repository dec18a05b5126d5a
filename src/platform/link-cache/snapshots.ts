/**
 * Link definitions in Redis, shared by all servers: a miss in process costs Redis instead of Postgres. A change leaves
 * its version behind under the link's id, and a snapshot older than that is never stored, whoever read it when. Redis
 * away or slow is a miss; nothing waits for it longer than `COMMAND_TIMEOUT_MS`.
 */
import { Redis } from "ioredis";
import type { LinkDefinition } from "@/core/link";
import type { LinkChange } from "./changes";

const COMMAND_TIMEOUT_MS = 100;
const SNAPSHOT_SECONDS = 3600;
/** Longer than any snapshot lives, and than any load takes. */
const VERSION_SECONDS = 2 * SNAPSHOT_SECONDS;

const STORE = `
local known = tonumber(redis.call("get", KEYS[2]) or "0")
if known > tonumber(ARGV[1]) then return 0 end
redis.call("set", KEYS[1], ARGV[2], "EX", ARGV[3])
return 1`;

const CHANGE = `
local known = tonumber(redis.call("get", KEYS[2]) or "0")
if known < tonumber(ARGV[1]) then redis.call("set", KEYS[2], ARGV[1], "EX", ARGV[2]) end
return redis.call("del", KEYS[1])`;

export interface LinkSnapshots {
  get(key: string): Promise<LinkDefinition | null>;
  put(key: string, definition: LinkDefinition): Promise<void>;
  change(change: LinkChange): Promise<void>;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const snapshotKey = (key: string) => `waymark:link:${key}`;
const versionKey = (id: string) => `waymark:link-version:${id}`;

export function openLinkSnapshots(url: string, onError: (error: unknown) => void): LinkSnapshots {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2000,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on("error", onError);

  /** What Redis cannot do now is left undone: Postgres has the truth. */
  const attempt = async <Result>(command: () => Promise<Result>): Promise<Result | undefined> => {
    if (redis.status !== "ready") return undefined;
    try {
      return await command();
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  return {
    async get(key) {
      const text = await attempt(() => redis.get(snapshotKey(key)));
      return text ? (JSON.parse(text) as LinkDefinition) : null;
    },
    async put(key, definition) {
      const { id, version } = definition;
      const body = JSON.stringify(definition);
      await attempt(() => redis.eval(STORE, 2, snapshotKey(key), versionKey(id), version, body, SNAPSHOT_SECONDS));
    },
    async change({ id, version, key }) {
      await attempt(() => redis.eval(CHANGE, 2, snapshotKey(key), versionKey(id), version, VERSION_SECONDS));
    },
    ping: async () => (await attempt(() => redis.ping())) === "PONG",
    async close() {
      redis.disconnect();
    },
  };
}
