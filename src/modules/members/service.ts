/**
 * Invites members, changes their roles and removes them; an owner always remains. Access is read on every request, so
 * a change takes effect with the next one.
 */
import type { Role } from "@/contract/accounts/access";
import type { Member } from "@/contract/accounts/members";
import { type OrgId, roleAllows, type Tenant } from "@/core/ids";
import { requireRole } from "@/http/access";
import { conflict, notFound } from "@/http/errors";
import { pagingOf } from "@/http/page";
import type { Db } from "@/platform/db/tx";
import { auditMember, checkMayManage, lockMembersAndReadRole } from "./changes";
import { createInvitations, type InvitationOptions } from "./invitations";
import { presentMember } from "./present";
import * as store from "./store";

export type MemberService = ReturnType<typeof createMemberService>;

export function createMemberService(options: InvitationOptions) {
  const { db, clock } = options;
  return {
    ...createInvitations(options),

    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listMembers(db, orgId, page, limit);
      return { members: rows.map(presentMember), ...pagingOf(page, limit, total) };
    },

    /**
     * Changes the role of a member or an invitation. Whoever raises the role of an invitation takes the place of its
     * inviter, who may not be allowed to give that role. Throws 403, 404, and 409 for the last owner (see
     * `checkOwnerRemains`).
     */
    async changeRole(tenant: Tenant, id: string, role: Role): Promise<Member> {
      return db.transaction(async (tx) => {
        const own = await lockMembersAndReadRole(tx, tenant, "admin");
        const before = await store.findMember(tx, tenant.orgId, id);
        if (!before) throw notFound("member");
        checkMayManage(tenant, own.role, before.role, role);
        if (before.role === role) return presentMember(before);
        await checkOwnerRemains(tx, tenant.orgId, before);
        const isRaisedInvitation = before.userId === null && !roleAllows(before.role, role);
        const values = { role, ...(isRaisedInvitation && { invitedBy: tenant.actor.id }) };
        const after = await store.updateMember(tx, tenant.orgId, before.id, values, new Date(clock()));
        await auditMember(tx, tenant, "role", before, after);
        await withdrawInvitations(tx, tenant, before.userId);
        return presentMember(after);
      });
    },

    /**
     * Ends a membership or withdraws an invitation; everyone may leave. Throws 403, 404, and 409 for the last owner.
     */
    async remove(tenant: Tenant, id: string) {
      return db.transaction(async (tx) => {
        const own = await lockMembersAndReadRole(tx, tenant, "viewer");
        const member = await store.findMember(tx, tenant.orgId, id);
        const isSelf = member?.userId === tenant.actor.id;
        if (!isSelf) requireRole(own.role, "admin");
        if (!member) throw notFound("member");
        checkMayManage(tenant, own.role, member.role);
        await checkOwnerRemains(tx, tenant.orgId, member);
        await store.deleteMember(tx, tenant.orgId, member.id);
        await auditMember(tx, tenant, "remove", member, undefined);
        await withdrawInvitations(tx, tenant, member.userId);
        return { _id: member.id, deleted: true as const };
      });
    },
  };
}

/** Withdraws the user's open invitations if they may no longer invite, or no longer to that role. */
async function withdrawInvitations(tx: Db, tenant: Tenant, userId: string | null): Promise<void> {
  const withdrawn = userId === null ? [] : await store.listWithdrawn(tx, tenant.orgId, userId);
  for (const invitation of withdrawn) {
    await store.deleteMember(tx, tenant.orgId, invitation.id);
    await auditMember(tx, tenant, "remove", invitation, undefined);
  }
}

/** Throws 409 unless an owner remains, and one whom a broken identity provider would not lock out. */
async function checkOwnerRemains(tx: Db, orgId: OrgId, leaving: store.MemberRow): Promise<void> {
  if (leaving.role !== "owner" || leaving.userId === null) return;
  const owners = await store.listOwners(tx, orgId);
  const others = owners.filter(({ id }) => id !== leaving.id);
  if (others.length === 0) {
    throw conflict("An organization needs at least one owner; make someone else an owner first");
  }
  const isIndependent = owners.some(({ id, isIndependent }) => id === leaving.id && isIndependent);
  if (isIndependent && !others.some(({ isIndependent }) => isIndependent)) {
    throw conflict(
      "An organization needs at least one owner who can sign in without single sign-on; make someone else one first",
    );
  }
}
