/** The time to delete by: what is deleted because one clock is wrong would not come back once that clock is set. */
import type { Sql } from "postgres";
import type { Clock } from "../clock";

/** Returns the earlier of this server's time and that of Postgres, in Unix milliseconds. */
export async function earlierTime(sql: Sql, clock: Clock): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select extract(epoch from now())::float8 * 1000 as now`;
  return Math.min(clock(), row?.now ?? Number.POSITIVE_INFINITY);
}
