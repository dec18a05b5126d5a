/**
 * Pools of connections to Postgres, with the largest number of connections in each. A server and the processes that it
 * starts open each pool once, so their sum is what one server needs. The pools to the replica are separate.
 */

/** Pools that bypass a transaction pooler. */
export const DIRECT_POOL_SIZES = { listener: 1, clickReader: 1, clickWriter: 1, figures: 1 } as const;
export const POOLED_SIZES = { requests: 10, background: 4, webhooks: 4, imports: 4, pulse: 1 } as const;
const REPLICA_POOL_SIZES = { replica: 10, replicaLinks: 5, replicaWatch: 1 } as const;

/** `tool` is the pool of an operator's command, and of a start that migrates before it opens the others. */
export const POOL_SIZES = { ...DIRECT_POOL_SIZES, ...POOLED_SIZES, ...REPLICA_POOL_SIZES, tool: 1 } as const;

export type Pool = keyof typeof POOL_SIZES;

/**
 * Pools that API requests share with other work, with the number of connections that requests may take together
 * (`connection/request-queue.ts`).
 */
export const REQUEST_PLACES: Partial<Record<Pool, number>> = {
  requests: POOL_SIZES.requests - 2,
  replica: POOL_SIZES.replica - 2,
};

/**
 * How many connections visits to links with `maxClicks` take together, of those that they share with API requests:
 * however many of either there are, the others get some.
 */
export const VISIT_PLACES = POOL_SIZES.requests - 2;

/**
 * Milliseconds that a statement of these pools waits for a lock: as long as a visitor waits (`in-time`), and well below
 * the time after which a connection without a response is closed. A read that waits on a replica is tried on the
 * primary. Background work, migrations and clicks wait as long as they need, or have bounds of their own.
 */
export const LOCK_WAITS_MS: Partial<Record<Pool, number>> = {
  requests: 30_000,
  replica: 5_000,
  replicaLinks: 5_000,
};

/** When these pools are renewed, their earlier connections exist for another 5 s. */
const RENEWED = ["requests", "webhooks"] as const;
/** Connections that Postgres reserves, and those of operator commands and `psql`. */
const OTHERS = 10;

/** Returns how many connections Postgres must allow for so many servers and one more, which replaces one of them. */
export function connectionsOfServers(servers: number): number {
  const sizes = [...Object.values(DIRECT_POOL_SIZES), ...Object.values(POOLED_SIZES)];
  const ofServer = [...sizes, ...RENEWED.map((pool) => POOL_SIZES[pool])].reduce((sum, size) => sum + size, 0);
  return (servers + 1) * ofServer + OTHERS;
}
