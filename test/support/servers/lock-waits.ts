/** For tests that hold a lock until others wait for it. */
import type { Sql } from "postgres";

const LOOK_AGAIN_MS = 5;

/**
 * Runs `during` while what the statement locks is locked, and returns what it does: promises of what it starts in an
 * object, so that they are not awaited before the lock ends.
 */
export async function whileLocked<Result extends object | undefined>(
  sql: Sql,
  lock: string,
  during: () => Promise<Result>,
): Promise<Result> {
  const { result } = await sql.begin(async (tx) => {
    await tx.unsafe(lock);
    return { result: await during() };
  });
  return result;
}

/** Resolves once this many statements in the database wait for a lock. `sql`: outside the transaction that holds it. */
export async function waitUntilBlocked(sql: Sql, waiting: number): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row?.waiting >= waiting) return;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
