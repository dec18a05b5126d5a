import type { Sql } from "postgres";
import { DAY_MS, MINUTE_MS } from "@/core/time/time-range";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import { ABUSE_SCORE_MIN } from "@/platform/db/schema/clicks";
import { ATTRIBUTION_VALID_MS } from "./validity";

/** A day longer than tokens are valid, so that a server whose clock is slow cannot accept a token a second time. */
const KEPT_MS = ATTRIBUTION_VALID_MS + DAY_MS;
const BATCH_ROWS = 5_000;

export interface ClaimRetentionOptions {
  sql: Sql;
  now: number;
  /** Aborting it stops the deletion after the current batch. */
  signal: AbortSignal;
  /** Rows per batch. Tests lower it. */
  batchRows?: number;
}

interface OldClaim {
  /** In hexadecimal. */
  tokenHash: string;
  orgId: string;
  clickId: string | null;
  /** Unix milliseconds. */
  clickedAt: number;
}

/**
 * Deletes, in batches, claims whose tokens would now be rejected for their age, and returns their number. Figures keep
 * counting these claims. Claims of clicks in the review queue are kept as long as these, so that a verdict still reaches
 * their installs.
 */
export async function deleteOldClaims(options: ClaimRetentionOptions): Promise<number> {
  const { sql, now, signal, batchRows = BATCH_ROWS } = options;
  const before = new Date(now - KEPT_MS);
  let deleted = 0;
  for (let after: OldClaim | undefined, rows = batchRows; rows === batchRows && !signal.aborted; ) {
    const claims = await nextOld(sql, { before, after, limit: batchRows });
    const reviewed = await reviewedClicks(sql, claims);
    const hashes = claims.flatMap(({ tokenHash, clickId }) =>
      clickId !== null && reviewed.has(clickId) ? [] : [`\\x${tokenHash}`],
    );
    deleted += (await sql`delete from claims where token_hash = any(${textArrayLiteral(hashes)}::text::bytea[])`).count;
    after = claims.at(-1);
    rows = claims.length;
  }
  return deleted;
}

interface OldClaimsQuery {
  before: Date;
  after: OldClaim | undefined;
  limit: number;
}

/** Returns the oldest claims after one, by the time of the click. */
async function nextOld(sql: Sql, { before, after, limit }: OldClaimsQuery): Promise<OldClaim[]> {
  const isLater = after
    ? sql`and (clicked_at, token_hash) > (${new Date(after.clickedAt)}, decode(${after.tokenHash}, 'hex'))`
    : sql``;
  return await sql<OldClaim[]>`
    select encode(token_hash, 'hex') as "tokenHash", org_id as "orgId", click_id as "clickId",
      extract(epoch from clicked_at)::float8 * 1000 as "clickedAt"
    from claims where clicked_at < ${before} ${isLater} order by clicked_at, token_hash limit ${limit}`;
}

/** Returns which of the claims' clicks are reviewed or await a review. */
async function reviewedClicks(sql: Sql, claims: readonly OldClaim[]): Promise<Set<string>> {
  const reviewed = new Set<string>();
  for (const [orgId, own] of Map.groupBy(claims, (claim) => claim.orgId)) {
    const ids = own.flatMap(({ clickId }) => clickId ?? []);
    if (ids.length === 0) continue;
    const times = own.map(({ clickedAt }) => clickedAt);
    // Contains the number itself and lists each verdict, so that Postgres uses the index of the queue.
    const rows = await sql<{ id: string }[]>`
      select id from clicks
      where org_id = ${orgId} and spam_score >= ${sql.unsafe(String(ABUSE_SCORE_MIN))}
        and (verdict is null or verdict in ('confirmed', 'dismissed')) and id = any(${arrayLiteral(ids)}::text::uuid[])
        and occurred_at >= ${new Date(Math.min(...times))}
        and occurred_at < ${new Date(Math.max(...times) + MINUTE_MS)}`;
    for (const { id } of rows) reviewed.add(id);
  }
  return reviewed;
}
