import { and, eq, inArray, sql } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import type { TokenClick } from "@/core/tokens";
import { keepLockOrder } from "@/platform/db/locks";
import { clicks, organizations } from "@/platform/db/schema";
import { claims } from "@/platform/db/schema/claims";
import type { Db } from "@/platform/db/tx";

export type NewClaim = typeof claims.$inferInsert;
export type Claim = Pick<typeof claims.$inferSelect, "answer" | "provider" | "claimedAt">;

/** Holds up the organization's deletion; returns false if it has been deleted. */
export async function holdOrganization(tx: Db, orgId: string): Promise<boolean> {
  keepLockOrder(tx, "organization");
  const held = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, orgId))
    .for("key share");
  return held.length > 0;
}

/**
 * Inserts a claim; returns false if the token has been claimed. Waits until a concurrent claim of the token commits
 * or rolls back.
 */
export async function insertClaim(tx: Db, claim: NewClaim): Promise<boolean> {
  const inserted = await tx.insert(claims).values(claim).onConflictDoNothing().returning({ id: claims.installId });
  return inserted.length > 0;
}

/** Finds the claim with any of these hashes. */
export async function findClaim(db: Db, ...hashes: Uint8Array[]): Promise<Claim | undefined> {
  const { answer, provider, claimedAt } = claims;
  const [found] = await db
    .select({ answer, provider, claimedAt })
    .from(claims)
    .where(inArray(claims.tokenHash, hashes))
    .limit(1);
  return found;
}

export interface ClaimedClick {
  id: string;
  occurredAt: Date;
}

/** Returns undefined if the link has no such click. */
export async function findClickOfToken(
  db: Db,
  link: LinkDefinition,
  click: TokenClick,
): Promise<ClaimedClick | undefined> {
  const [found] = await db
    .select({ id: clicks.id, occurredAt: clicks.occurredAt })
    .from(clicks)
    .where(
      and(
        eq(clicks.occurredAt, new Date(click.at)),
        eq(clicks.orgId, link.orgId),
        eq(clicks.linkId, link.id),
        sql`right(${clicks.id}::text, ${click.idEnd.length}) = ${click.idEnd}`,
      ),
    )
    .limit(1);
  return found;
}
