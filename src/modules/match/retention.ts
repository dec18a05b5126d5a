import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { ATTRIBUTION_VALID_MS } from "./validity";

/** A day longer than tokens are valid, so that a server whose clock is slow cannot accept a token a second time. */
const KEPT_MS = ATTRIBUTION_VALID_MS + DAY_MS;
/** Maximum number of claims that one run deletes; the next run continues. */
const ROWS_MAX = 20_000;

/**
 * Deletes claims whose tokens would now be rejected for their age, and returns their number. Figures keep counting
 * these claims.
 */
export async function deleteOldClaims(sql: Sql, now: number): Promise<number> {
  const before = new Date(now - KEPT_MS);
  const deleted = await sql`delete from claims where token_hash in (
    select token_hash from claims where clicked_at < ${before} order by clicked_at limit ${ROWS_MAX})`;
  return deleted.count;
}
