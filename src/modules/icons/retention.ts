import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";

/** Whoever is still asked for was fetched within two days, or tried in vain. */
const UNUSED_MS = 30 * DAY_MS;
/** One run deletes no more; what is left waits for the next. */
const ROWS_MAX = 5_000;

/** Deletes icons that nobody asks for any more, those of owners that are gone among them; answers how many. */
export async function deleteUnusedIcons(sql: Sql, now: number): Promise<number> {
  const before = new Date(now - UNUSED_MS);
  const deleted = await sql`delete from icons where (owner_type, owner_id) in (
    select owner_type, owner_id from icons where fetched_at < ${before} limit ${ROWS_MAX})`;
  return deleted.count;
}
