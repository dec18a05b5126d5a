/** Connections to the primary at most, by the kind of work. While a pool is renewed its former connections are there, too, for 5 s. */
export const PRIMARY_POOL_SIZES = { requests: 10, clicks: 2, workers: 4, listener: 2, tool: 1 } as const;

/** The same with those to a replica. */
export const POOL_SIZES = { ...PRIMARY_POOL_SIZES, replica: 10, replicaLinks: 5 } as const;

export type Pool = keyof typeof POOL_SIZES;
