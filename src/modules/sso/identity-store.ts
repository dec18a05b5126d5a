/** Stores the identities that providers vouched for, their users, and how these became members. */
import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { isStillInvited } from "@/platform/db/accounts/invitations";
import type { UserRow } from "@/platform/db/accounts/users";
import { memberships, ssoIdentities, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { emailSpellings } from "@/platform/hosts/email-address";

export type MembershipRow = typeof memberships.$inferSelect;

export interface Identity {
  issuer: string;
  subject: string;
}

/** What the provider calls a user. */
export interface Stated {
  email: string;
  name: string;
}

/** Returns the user of an identity, and whether they are still a member. */
export async function findIdentified(
  db: Db,
  orgId: OrgId,
  { issuer, subject }: Identity,
): Promise<{ user: UserRow; isMember: boolean } | undefined> {
  const rows = await db
    .select({ user: users, isMember: sql<boolean>`${memberships.id} is not null` })
    .from(ssoIdentities)
    .innerJoin(users, eq(users.id, ssoIdentities.userId))
    .leftJoin(memberships, and(eq(memberships.orgId, orgId), eq(memberships.userId, users.id)))
    .where(and(eq(ssoIdentities.orgId, orgId), eq(ssoIdentities.issuer, issuer), eq(ssoIdentities.subject, subject)));
  return rows[0];
}

/**
 * Inserts an identity, or replaces the one with the same issuer and subject. `id` is the id of the membership that
 * the sign-in created, if it created one.
 */
export const putIdentity = (tx: Db, orgId: OrgId, identity: Identity & Stated & { id: string; userId: string }) =>
  tx
    .insert(ssoIdentities)
    .values({ ...identity, orgId })
    .onConflictDoUpdate({
      target: [ssoIdentities.orgId, ssoIdentities.issuer, ssoIdentities.subject],
      set: { id: identity.id, userId: identity.userId, email: identity.email, name: identity.name },
    });

/** Stores the name that the provider now states. */
export const renameIdentity = (db: Db, orgId: OrgId, { issuer, subject }: Identity, name: string) =>
  db
    .update(ssoIdentities)
    .set({ name })
    .where(
      and(
        eq(ssoIdentities.orgId, orgId),
        eq(ssoIdentities.issuer, issuer),
        eq(ssoIdentities.subject, subject),
        or(isNull(ssoIdentities.name), ne(ssoIdentities.name, name)),
      ),
    );

/** Creates an account without a password. */
export async function insertIdentityUser(tx: Db, email: string, name: string, now: Date): Promise<UserRow> {
  const user = { id: Bun.randomUUIDv7(), email, name, passwordHash: null, createdAt: now, updatedAt: now };
  return written((await tx.insert(users).values(user).returning())[0]);
}

export async function isMember(tx: Db, orgId: OrgId, userId: string): Promise<boolean> {
  const own = and(eq(memberships.orgId, orgId), eq(memberships.userId, userId));
  return (await tx.select({ id: memberships.id }).from(memberships).where(own)).length > 0;
}

/**
 * Turns the latest open invitation of any of these emails into the user's membership. Returns undefined if there is
 * none.
 */
export async function takeIdentityInvitation(
  tx: Db,
  orgId: OrgId,
  user: UserRow,
  emails: readonly string[],
  now: Date,
): Promise<MembershipRow | undefined> {
  const open = and(
    eq(memberships.orgId, orgId),
    inArray(memberships.invitedEmail, emails.flatMap(emailSpellings)),
    gt(memberships.inviteExpiresAt, now),
    isStillInvited,
  );
  const latest = tx.select({ id: memberships.id }).from(memberships).where(open).orderBy(desc(memberships.id)).limit(1);
  const rows = await tx
    .update(memberships)
    .set({ userId: user.id, invitedEmail: null, inviteHash: null, inviteExpiresAt: null, updatedAt: now })
    .where(inArray(memberships.id, latest))
    .returning();
  return rows[0];
}

/** Deletes invitations that were not accepted in time, and returns them. */
export const dropInvitations = (tx: Db, orgId: OrgId, emails: readonly string[]): Promise<MembershipRow[]> =>
  tx
    .delete(memberships)
    .where(and(eq(memberships.orgId, orgId), inArray(memberships.invitedEmail, emails.flatMap(emailSpellings))))
    .returning();

export async function insertMembership(
  tx: Db,
  orgId: OrgId,
  userId: string,
  role: MembershipRow["role"],
  now: Date,
): Promise<MembershipRow> {
  const membership = { id: Bun.randomUUIDv7(), orgId, userId, role, createdAt: now, updatedAt: now };
  return written((await tx.insert(memberships).values(membership).returning())[0]);
}

function written<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("The written row could not be read back");
  return row;
}
