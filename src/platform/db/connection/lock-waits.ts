/**
 * Ends waits for locks where `lock_timeout` cannot: behind a pooler that shares connections between transactions, it would
 * apply to other clients, too.
 */
import type { Sql } from "postgres";

/**
 * Cancels what has waited for a lock for longer than `waitMs` on the connections whose names begin so. Its error is that of
 * a statement that an operator cancels. `direct` leads to Postgres itself: the connections of a pooler may all be waiting.
 */
export async function cancelLongWaits(direct: Sql, name: string, waitMs: number): Promise<void> {
  await direct.unsafe(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where wait_event_type = 'Lock' and starts_with(application_name, $1)
       and (select min(waitstart) from pg_locks where pg_locks.pid = pg_stat_activity.pid and not granted)
         < clock_timestamp() - $2::float8 * interval '1 millisecond'`,
    [name, waitMs],
  );
}
