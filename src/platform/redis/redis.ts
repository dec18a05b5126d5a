/**
 * Redis as the setting names it: one server (`redis://`, `rediss://`), whichever server sentinels call the master
 * (`redis+sentinel://host:port,host:port/master`), or a cluster (`redis+cluster://host:port,host:port`), with TLS where
 * the scheme begins with `rediss`. What one script touches must stand in one slot: its keys share what is in braces.
 */
import type { Cluster, Redis, RedisOptions } from "ioredis";
import { parseRedisUrl } from "./redis-url";

export type RedisClient = Redis | Cluster;

export interface RedisClientOptions extends Pick<RedisOptions, "commandTimeout"> {
  lazyConnect?: boolean;
  connectTimeout: number;
  /** False: it lives once, and makes no other connection when one ends. */
  isRenewed: boolean;
  /** An error, or the end of a connection. */
  onEnd(error: Error): void;
}

const DISCONNECT_MS_MAX = 100;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

/** Commands are not kept back for a connection that is not there. The driver is loaded where there is a Redis. */
export async function openRedis(url: string, options: RedisClientOptions): Promise<RedisClient> {
  const { Cluster, Redis } = await import("ioredis");
  const { lazyConnect = false, connectTimeout, commandTimeout, isRenewed, onEnd } = options;
  const { kind, nodes, master, ...target } = parseRedisUrl(url);
  const retry = isRenewed ? (attempt: number) => Math.min(attempt * RETRY_MS, RETRY_MS_MAX) : () => null;
  const common: RedisOptions = {
    ...target,
    connectTimeout,
    commandTimeout,
    disconnectTimeout: DISCONNECT_MS_MAX,
    maxRetriesPerRequest: 0,
  };
  const server: RedisOptions = {
    ...common,
    lazyConnect,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    retryStrategy: retry,
  };
  const client = {
    // The driver reads more from an address of one server than is read here.
    server: () => new Redis(url, { ...server, ...target }),
    sentinel: () =>
      new Redis({
        ...server,
        ...{ sentinels: nodes, name: master, sentinelRetryStrategy: retry },
        ...(target.tls ? { enableTLSForSentinelMode: true, sentinelTLS: target.tls } : {}),
      }),
    cluster: () =>
      new Cluster(nodes, {
        lazyConnect,
        enableAutoPipelining: true,
        enableOfflineQueue: false,
        clusterRetryStrategy: retry,
        slotsRefreshTimeout: connectTimeout,
        redisOptions: common,
      }),
  }[kind]();
  client.on("error", onEnd);
  client.on("close", () => onEnd(new Error("The connection to Redis was closed")));
  // A cluster goes on with its other nodes, but this one hears of no change. Before it is ready, any of those named will do.
  if (kind === "cluster") client.once("ready", () => client.on("node error", onEnd));
  return client;
}
