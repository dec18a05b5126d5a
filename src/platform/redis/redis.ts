/**
 * Connects to Redis as `REDIS_URL` describes it: one server (`redis://`, `rediss://`), the current master of a set of
 * sentinels (`redis+sentinel://host:port,host:port/master`), or a cluster (`redis+cluster://host:port,host:port`),
 * with TLS if the scheme begins with `rediss`. All keys that one script uses must be in one slot: they share the part
 * in braces.
 */
import type { Cluster, Redis, RedisOptions } from "ioredis";
import { parseRedisUrl } from "./redis-url";

export type RedisClient = Redis | Cluster;

export interface RedisClientOptions extends Pick<RedisOptions, "commandTimeout"> {
  lazyConnect?: boolean;
  connectTimeout: number;
  /** False: the client makes one connection and does not reconnect when that ends. */
  isRenewed: boolean;
  /** Called on an error, and at the end of a connection. */
  onEnd(error: Error): void;
}

const DISCONNECT_MS_MAX = 100;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

/**
 * A master that became a replica may keep its connections, although its name leads to the new one by now: only another
 * connection gets there.
 */
const isReadOnly = ({ message }: Error): boolean => message.startsWith("READONLY");

/**
 * Returns without waiting for the connection. Commands fail while there is none, rather than wait for it. The driver
 * is loaded only if Redis is used.
 */
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
    reconnectOnError: isReadOnly,
  };
  const client = {
    // From the URL of a single server, the driver reads more than `parseRedisUrl` does.
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
  // A cluster goes on with its other nodes, but changes announced on the failed one do not arrive. Until the client
  // is ready, failing nodes do not matter: any of those named will do.
  if (kind === "cluster") client.once("ready", () => client.on("node error", onEnd));
  return client;
}
