import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

/** An icon that is still requested was fetched, or tried, within the last two days. */
const UNUSED_MS = 30 * DAY_MS;
/** One run deletes no more than this; the next one continues. */
const ROWS_MAX = 5_000;

/** Deletes icons that nobody has requested for a long time, including those of deleted owners. Returns how many. */
export async function deleteUnusedIcons(sql: Sql, now: number): Promise<number> {
  const before = new Date(now - UNUSED_MS);
  const deleted = await sql`delete from icons where (owner_type, owner_id) in (
    select owner_type, owner_id from icons where fetched_at < ${before} limit ${ROWS_MAX})`;
  return deleted.count;
}
