import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { ATTRIBUTION_VALID_MS } from "./validity";

/** A server whose clock is behind must not take a token again. */
const KEPT_MS = ATTRIBUTION_VALID_MS + DAY_MS;
/** One run deletes no more; what is left waits for the next. */
const ROWS_MAX = 20_000;

/** Deletes claims of tokens that would be refused for their age by now; answers how many. Figures have counted them. */
export async function deleteOldClaims(sql: Sql, now: number): Promise<number> {
  const before = new Date(now - KEPT_MS);
  const deleted = await sql`delete from claims where token_hash in (
    select token_hash from claims where clicked_at < ${before} order by clicked_at limit ${ROWS_MAX})`;
  return deleted.count;
}
