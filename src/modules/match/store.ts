import { eq, sql } from "drizzle-orm";
import { claims } from "@/platform/db/schema/claims";
import type { Db } from "@/platform/db/tx";

export type NewClaim = typeof claims.$inferInsert;
export type Claim = Pick<typeof claims.$inferSelect, "answer" | "provider" | "claimedAt">;

/** For another claim of the same token, and for the organization's figures. */
const LOCK_WAIT = "5s";

export async function boundWaits(tx: Db): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`);
}

/** False where the token is spent; waits for a claim under way to be told. */
export async function insertClaim(tx: Db, claim: NewClaim): Promise<boolean> {
  const inserted = await tx.insert(claims).values(claim).onConflictDoNothing().returning({ id: claims.installId });
  return inserted.length > 0;
}

export async function findClaim(db: Db, tokenHash: Uint8Array): Promise<Claim | undefined> {
  const { answer, provider, claimedAt } = claims;
  const [found] = await db
    .select({ answer, provider, claimedAt })
    .from(claims)
    .where(eq(claims.tokenHash, tokenHash))
    .limit(1);
  return found;
}
