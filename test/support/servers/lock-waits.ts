/** For tests that hold a lock until others wait for it. */
import type { Sql } from "postgres";

const LOOK_AGAIN_MS = 5;

/** Runs `start` while the organization's row is locked, until what it started waits for it; returns what that came to. */
export async function whileOrganizationIsHeld<Result>(
  sql: Sql,
  orgId: string,
  waiting: number,
  start: () => Promise<Result>,
): Promise<Result> {
  let started: Promise<Result> | undefined;
  await sql.begin(async (tx) => {
    await tx`select 1 from organizations where id = ${orgId} for no key update`;
    started = start();
    await Promise.race([untilWaiting(sql, waiting), started]);
  });
  if (!started) throw new Error("Nothing was started");
  return started;
}

/** Resolves once this many statements in the database wait for a lock. `sql`: outside the transaction that holds it. */
async function untilWaiting(sql: Sql, waiting: number): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row?.waiting >= waiting) return;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
