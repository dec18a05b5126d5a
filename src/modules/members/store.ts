/** Stores the memberships of one organization, including invitations. */
import { and, count, desc, eq, gt, inArray, isNull, not } from "drizzle-orm";
import type { Role } from "@/contract/accounts/access";
import { isUuid, type OrgId } from "@/core/ids";
import { isStillInvited } from "@/platform/db/accounts/invitations";
import { isIndependentOwner } from "@/platform/db/accounts/owners";
import { keepLockOrder } from "@/platform/db/locks";
import { memberships, organizations, ssoIdentities, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { emailSpellings } from "@/platform/hosts/email-address";

/** A membership with its user, or an invitation that nobody has accepted yet. */
export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

export interface InvitationValues {
  role: Role;
  inviteHash: Uint8Array;
  inviteExpiresAt: Date;
  invitedBy: string | null;
}

/**
 * Locks the memberships until the transaction ends, and returns the organization's name. Changes take turns, so the
 * roles and owners that one has read stay true.
 */
export async function lockMemberships(tx: Db, orgId: OrgId): Promise<{ name: string } | undefined> {
  keepLockOrder(tx, "organization");
  const found = tx.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, orgId));
  return (await found.for("no key update"))[0];
}

export async function listMembers(db: Db, orgId: OrgId, page: number, limit: number) {
  const ofOrganization = eq(memberships.orgId, orgId);
  const [rows, [counted]] = await Promise.all([
    selectMembers(db)
      .where(ofOrganization)
      .orderBy(desc(memberships.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(memberships).where(ofOrganization),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export async function findMember(db: Db, orgId: OrgId, id: string): Promise<MemberRow | undefined> {
  if (!isUuid(id)) return undefined;
  return (await selectMembers(db).where(one(orgId, id)))[0];
}

export async function findMemberOfUser(db: Db, orgId: OrgId, userId: string): Promise<MemberRow | undefined> {
  return (await selectMembers(db).where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))))[0];
}

/** Finds a member by any spelling of their email, as `findInvited` finds an invitation. */
export async function findActive(db: Db, orgId: OrgId, email: string): Promise<MemberRow | undefined> {
  const own = and(eq(memberships.orgId, orgId), inArray(users.email, emailSpellings(email)));
  return (await selectMembers(db).where(own))[0];
}

export async function findInvited(db: Db, orgId: OrgId, email: string): Promise<MemberRow | undefined> {
  const own = and(eq(memberships.orgId, orgId), inArray(memberships.invitedEmail, emailSpellings(email)));
  return (await selectMembers(db).where(own))[0];
}

/** Returns the owners, and whether each can sign in without the organization's identity provider. */
export const listOwners = (db: Db, orgId: OrgId): Promise<{ id: string; isIndependent: boolean }[]> =>
  db
    .select({ id: memberships.id, isIndependent: isIndependentOwner })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), eq(memberships.role, "owner")));

export async function insertInvitation(tx: Db, orgId: OrgId, invitedEmail: string, values: InvitationValues) {
  const id = Bun.randomUUIDv7();
  await tx.insert(memberships).values({ id, orgId, invitedEmail, ...values });
  return existing(await findMember(tx, orgId, id));
}

export async function updateMember(
  tx: Db,
  orgId: OrgId,
  id: string,
  values: Partial<InvitationValues> & { role: Role },
  now: Date,
): Promise<MemberRow> {
  const changed = tx.update(memberships).set({ ...values, updatedAt: now });
  await changed.where(one(orgId, id));
  return existing(await findMember(tx, orgId, id));
}

/** Returns the invitations that the user made and would no longer be allowed to make. */
export const listWithdrawn = (tx: Db, orgId: OrgId, userId: string): Promise<MemberRow[]> =>
  selectMembers(tx).where(
    and(
      eq(memberships.orgId, orgId),
      eq(memberships.invitedBy, userId),
      isNull(memberships.userId),
      not(isStillInvited),
    ),
  );

export const deleteMember = (tx: Db, orgId: OrgId, id: string) => tx.delete(memberships).where(one(orgId, id));

/**
 * Returns an open invitation, by its token's hash and the email it was sent to; with both, its organization id counts
 * as checked.
 */
export async function findInvitation(
  db: Db,
  inviteHash: Uint8Array,
  email: string,
  now: Date,
): Promise<(MemberRow & { orgId: OrgId }) | undefined> {
  const open = and(
    eq(memberships.inviteHash, inviteHash),
    inArray(memberships.invitedEmail, emailSpellings(email)),
    gt(memberships.inviteExpiresAt, now),
    isStillInvited,
  );
  const [row] = await selectMembers(db).where(open);
  return row && { ...row, orgId: row.orgId as OrgId };
}

/** Returns the email and the organization's name of an open invitation, by its token's hash only. */
export async function findOpenInvitation(db: Db, inviteHash: Uint8Array, now: Date) {
  const { invitedEmail, inviteExpiresAt } = memberships;
  const [row] = await db
    .select({ email: invitedEmail, organization: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.inviteHash, inviteHash), gt(inviteExpiresAt, now), isStillInvited))
    .limit(1);
  return row?.email ? { email: row.email, organization: row.organization } : undefined;
}

export async function takeInvitation(tx: Db, orgId: OrgId, id: string, userId: string, now: Date): Promise<MemberRow> {
  const taken = { userId, invitedEmail: null, inviteHash: null, inviteExpiresAt: null, updatedAt: now };
  await tx.update(memberships).set(taken).where(one(orgId, id));
  return existing(await findMember(tx, orgId, id));
}

const one = (orgId: OrgId, id: string) => and(eq(memberships.orgId, orgId), eq(memberships.id, id));

const selectMembers = (db: Db) =>
  db
    .select({
      id: memberships.id,
      orgId: memberships.orgId,
      userId: memberships.userId,
      role: memberships.role,
      invitedEmail: memberships.invitedEmail,
      inviteExpiresAt: memberships.inviteExpiresAt,
      invitedBy: memberships.invitedBy,
      createdAt: memberships.createdAt,
      userEmail: users.email,
      userName: users.name,
      /** What the identity provider calls a member whom single sign-on added. */
      identityId: ssoIdentities.id,
      statedEmail: ssoIdentities.email,
      statedName: ssoIdentities.name,
    })
    .from(memberships)
    .leftJoin(users, eq(users.id, memberships.userId))
    .leftJoin(ssoIdentities, eq(ssoIdentities.id, memberships.id));

function existing(row: MemberRow | undefined): MemberRow {
  if (!row) throw new Error("The written membership could not be read back");
  return row;
}
