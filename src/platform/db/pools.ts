/**
 * Largest number of connections to the primary, by the kind of work. For 5 s after a pool is renewed, its earlier
 * connections exist, too.
 */
export const PRIMARY_POOL_SIZES = { requests: 10, clicks: 2, workers: 4, listener: 2, tool: 1 } as const;

/** Includes the connections to a replica. */
export const POOL_SIZES = { ...PRIMARY_POOL_SIZES, replica: 10, replicaLinks: 5 } as const;

export type Pool = keyof typeof POOL_SIZES;
