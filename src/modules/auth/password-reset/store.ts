/** Stores password resets. A reset is open until it is used, replaced or expired. */
import { and, eq, gt, isNull, lte, or } from "drizzle-orm";
import type { UserRow } from "@/platform/db/accounts/users";
import { keepLockOrder } from "@/platform/db/locks";
import { passwordResets, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/**
 * Locks the user, so that resets of one user are created and used one at a time. Returns false if the user no longer
 * exists.
 */
async function lockUser(tx: Db, userId: string): Promise<boolean> {
  keepLockOrder(tx, "user");
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  return rows.length > 0;
}

/**
 * Inserts a reset in place of the user's others, and deletes all expired ones. Returns false if the user no longer
 * exists.
 */
export async function replaceResets(tx: Db, reset: typeof passwordResets.$inferInsert, now: Date): Promise<boolean> {
  if (!(await lockUser(tx, reset.userId))) return false;
  await tx
    .delete(passwordResets)
    .where(or(eq(passwordResets.userId, reset.userId), lte(passwordResets.expiresAt, now)));
  await tx.insert(passwordResets).values(reset);
  return true;
}

const isOpen = (now: Date) => and(isNull(passwordResets.usedAt), gt(passwordResets.expiresAt, now));

export async function hasOpenReset(db: Db, userId: string, now: Date): Promise<boolean> {
  const open = and(eq(passwordResets.userId, userId), isOpen(now));
  return (await db.select({ id: passwordResets.id }).from(passwordResets).where(open)).length > 0;
}

/** Returns the user whose password an open reset is for. */
export async function findResetUser(db: Db, hash: Uint8Array, now: Date): Promise<UserRow | undefined> {
  const rows = await db
    .select({ user: users })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.hash, hash), isOpen(now)));
  return rows[0]?.user;
}

/** Marks a reset as used. Returns whether it was still open: of several concurrent uses, only the first succeeds. */
export async function useReset(tx: Db, userId: string, hash: Uint8Array, now: Date): Promise<boolean> {
  if (!(await lockUser(tx, userId))) return false;
  const isThis = and(eq(passwordResets.hash, hash), isOpen(now));
  const rows = await tx.update(passwordResets).set({ usedAt: now }).where(isThis).returning({ id: passwordResets.id });
  return rows.length > 0;
}

export async function setPassword(tx: Db, userId: string, passwordHash: string, now: Date): Promise<void> {
  await tx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
  const areOpen = and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt));
  await tx.update(passwordResets).set({ usedAt: now }).where(areOpen);
}
