/**
 * Lanes let requests of one organization add to the same figures at once. A row of figures stands once a lane; whoever
 * adds holds a lane of the organization until its transaction ends, so that nobody waits for a row, and none can come
 * into each other's way (a deadlock), in whatever order they touch rows.
 *
 * Bounds: `LANES` rows for one figure, and so many transactions of an organization at once, on all servers together; the
 * next one waits for one of them. A lane ends with its transaction, also when the process dies.
 */
import { sql } from "drizzle-orm";
import type { Statements } from "./statements";
import type { Tx } from "./tx";

export const LANES = 16;

/** Nobody else counts for the organization until the transaction ends. */
export async function takeAllLanes(tx: Statements, orgId: string): Promise<void> {
  await tx.run(
    `select pg_advisory_xact_lock(hashtextextended('waymark lane ' || $1::text, lane))
     from generate_series(0, $2::int - 1) as lane`,
    [orgId, LANES],
  );
}

/** The number of the lane, below `LANES`. */
export async function takeLane(tx: Tx, orgId: string): Promise<number> {
  const key = (lane: unknown) => sql`hashtextextended('waymark lane ' || ${orgId}::text, ${lane}::bigint)`;
  const [free] = await tx.execute<{ lane: number }>(sql`
    select lane from generate_series(0, ${LANES - 1}::int) as lane
    where pg_try_advisory_xact_lock(${key(sql`lane`)}) limit 1`);
  if (free) return free.lane;
  const lane = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
  await tx.execute(sql`select pg_advisory_xact_lock(${key(lane % LANES)})`);
  return lane % LANES;
}
