/**
 * Lanes let requests of one organization add to the same figures at the same time. Each figure has a row per lane. A
 * transaction that adds to figures holds one of the organization's lanes until it ends, so transactions never wait
 * for each other's rows and cannot deadlock, in whatever order they touch them.
 *
 * Bounds: `LANES` rows per figure, and as many transactions of an organization at a time, across all servers; the
 * next one waits for a lane. A lane is released when its transaction ends, also when the process dies.
 */
import { type Statements, statementsOn } from "./statements";
import type { Tx } from "./tx";

export const LANES = 16;

/** Takes every lane: no other transaction counts for the organization until this one ends. */
export async function takeAllLanes(tx: Statements, orgId: string): Promise<void> {
  await tx.run(
    `select pg_advisory_xact_lock(hashtextextended('waymark lane ' || $1::text, lane))
     from generate_series(0, $2::int - 1) as lane`,
    [orgId, LANES],
  );
}

/** Takes a free lane or, if there is none, waits for a random one. Returns its number, below `LANES`. */
export const takeLane = (tx: Tx, orgId: string): Promise<number> => takeAnyLane(statementsOn(tx), orgId);

/** Does the same, for hand-written SQL. */
export async function takeAnyLane({ run }: Statements, orgId: string): Promise<number> {
  const key = (lane: string) => `hashtextextended('waymark lane ' || $1::text, ${lane}::bigint)`;
  const [free] = await run<{ lane: number }>(
    `select lane from generate_series(0, ${LANES - 1}) as lane
     where pg_try_advisory_xact_lock(${key("lane")}) limit 1`,
    [orgId],
  );
  if (free) return free.lane;
  const lane = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % LANES;
  await run(`select pg_advisory_xact_lock(${key("$2::text")})`, [orgId, lane]);
  return lane;
}
