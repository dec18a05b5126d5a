/** Stores which account holds an address. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { UserRow } from "@/platform/db/accounts/users";
import { keepLockOrder } from "@/platform/db/locks";
import { memberships, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/**
 * Returns the user and locks the row. Until the transaction ends nobody can sign in to the account, join an
 * organization with it or prove its address.
 */
export async function lockHolder(tx: Db, id: string): Promise<UserRow | undefined> {
  keepLockOrder(tx, "user");
  return (await tx.select().from(users).where(eq(users.id, id)).for("update"))[0];
}

export async function markProven(tx: Db, id: string, now: Date): Promise<boolean> {
  const proven = tx.update(users).set({ addressHeldUntil: null, updatedAt: now });
  const isUnproven = and(eq(users.id, id), isNotNull(users.addressHeldUntil));
  return (await proven.where(isUnproven).returning({ id: users.id })).length > 0;
}

/** Deletes the user with everything that is the user's own. */
export const deleteUser = (tx: Db, id: string) => tx.delete(users).where(eq(users.id, id));

/** Deletes the user's open invitations to the organization, and returns them. */
export const deleteInvitations = (tx: Db, orgId: OrgId, userId: string) =>
  tx
    .delete(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.invitedBy, userId), isNull(memberships.userId)))
    .returning();

/** Lists every organization the user belongs to, including those whose identity provider made them a member. */
export async function findOrganizationsOfAddress(tx: Db, userId: string): Promise<OrgId[]> {
  const rows = await tx.select({ orgId: memberships.orgId }).from(memberships).where(eq(memberships.userId, userId));
  return rows.map(({ orgId }) => orgId as OrgId);
}
