/** Confirms an address whose mail has not arrived, and gives an organization an owner when it has none. */
import { eq } from "drizzle-orm";
import { type OrgId, SYSTEM } from "@/core/ids";
import { recordAudit } from "@/modules/audit-logs/service";
import { auditAccount } from "@/modules/auth/account";
import { markProven } from "@/modules/auth/email-proof/address-store";
import { auditMember } from "@/modules/members/changes";
import { deleteMember, findInvited, findMemberOfUser } from "@/modules/members/store";
import { findUserByEmail } from "@/platform/db/accounts/users";
import { takeLock } from "@/platform/db/locks";
import { memberships, ssoIdentities, type users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { organizationNamed } from "./find";
import { type CommandOutcome, noAccount, noOrganization } from "./outcome";

type Account = Pick<typeof users.$inferSelect, "id" | "email">;

export async function verifyEmail(db: Db, [email = ""]: string[]): Promise<CommandOutcome> {
  return db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return noAccount(email);
    if (await markProven(tx, user.id, new Date()))
      await auditAccount(tx, { userId: user.id, actor: SYSTEM }, { action: "user.email_verify" });
    return { ok: true, message: `The address ${user.email} is now confirmed` };
  });
}

/**
 * Makes the account an owner, whatever its role was before, and one who gets in without the organization's identity
 * provider: if the provider made the membership, the user counts from now on as having joined. An invitation of the
 * same address is withdrawn.
 */
export async function addOwner(db: Db, [name = "", email = ""]: string[]): Promise<CommandOutcome> {
  return db.transaction(async (tx) => {
    const organization = await organizationNamed(tx, name);
    if (!organization) return noOrganization(name);
    const { id: orgId, slug } = organization;
    await takeLock(tx, orgId, "organization");
    const user = await findUserByEmail(tx, email);
    if (!user) return noAccount(email);
    await withdrawInvitation(tx, orgId, user.email);
    await makeOwner(tx, orgId, user);
    const done = `${user.email} is now an owner of ${slug}`;
    if (user.passwordHash !== null) return { ok: true, message: done };
    const password = `The account has no password yet; set one with: bun run admin reset-password ${user.email}`;
    return { ok: true, message: `${done}. ${password}` };
  });
}

async function withdrawInvitation(tx: Db, orgId: OrgId, email: string): Promise<void> {
  const invitation = await findInvited(tx, orgId, email);
  if (!invitation) return;
  await deleteMember(tx, orgId, invitation.id);
  await auditMember(tx, { orgId, actor: SYSTEM }, "remove", invitation, undefined);
}

async function makeOwner(tx: Db, orgId: OrgId, { id: userId, email }: Account): Promise<void> {
  const before = await findMemberOfUser(tx, orgId, userId);
  const id = before?.id ?? Bun.randomUUIDv7();
  await tx
    .insert(memberships)
    .values({ id, orgId, userId, role: "owner" })
    .onConflictDoUpdate({
      target: [memberships.orgId, memberships.userId],
      set: { role: "owner", updatedAt: new Date() },
    });
  const role = { from: before?.role ?? null, to: "owner" };
  const needsSso = (await countAsJoined(tx, id)) ? { needsSso: { from: true, to: false } } : {};
  const changes = { email: { from: null, to: email }, role, ...needsSso };
  const entry = { action: "member.role", resourceType: "member", resourceId: id, changes };
  await recordAudit(tx, { orgId, actor: SYSTEM }, entry);
}

/** Returns whether single sign-on had made the membership. The identity stays, so single sign-on works as before. */
async function countAsJoined(tx: Db, membershipId: string): Promise<boolean> {
  const own = eq(ssoIdentities.id, membershipId);
  const detached = tx.update(ssoIdentities).set({ id: Bun.randomUUIDv7() }).where(own);
  return (await detached.returning({ id: ssoIdentities.id })).length > 0;
}
