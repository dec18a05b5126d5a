/**
 * Common to every change of memberships: it locks the organization and only then reads what the caller may do, so
 * that someone demoted or removed a moment ago can change nothing. Each change is recorded in the audit log.
 */
import type { Role } from "@/contract/accounts/access";
import { changesOf } from "@/core/changes";
import type { Tenant } from "@/core/ids";
import { requireRole } from "@/http/access";
import { forbidden, notFound } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Db } from "@/platform/db/tx";
import { auditedMembership } from "./present";
import * as store from "./store";

/**
 * Locks the memberships until the transaction ends, and returns the caller's role, the caller's address if more than the
 * organization's own provider vouches for it, and the organization's name. Throws 404 and 403 like the access checks, by
 * the caller's current role.
 */
export async function lockMembersAndReadRole(tx: Db, { orgId, actor }: Tenant, needed: Role) {
  const organization = await store.lockMemberships(tx, orgId);
  const caller = actor.id === null ? undefined : await store.findMemberOfUser(tx, orgId, actor.id);
  if (!organization || !caller) throw notFound("organization");
  requireRole(caller.role, needed);
  const provenEmail = caller.identityId === null ? actor.email : null;
  return { role: caller.role, provenEmail, organization: organization.name };
}

/**
 * Lets only an owner with a session grant, change or remove the role of an owner: otherwise someone with an access
 * token could make themselves an owner and reach what no token reaches. Throws 403.
 */
export function checkMayManage({ actor }: Tenant, own: Role, ...roles: (Role | undefined)[]): void {
  if (!roles.includes("owner")) return;
  if (own !== "owner") throw forbidden("Only an owner can invite, change or remove an owner");
  if (actor.accessToken) throw forbidden("Access tokens cannot invite, change or remove an owner; sign in");
}

export async function auditMember(
  tx: Db,
  tenant: Tenant,
  verb: "invite" | "join" | "role" | "remove",
  before: store.MemberRow | undefined,
  after: store.MemberRow | undefined,
): Promise<void> {
  const resourceId = (after ?? before)?.id ?? "";
  const changes = changesOf(before ? auditedMembership(before) : {}, after ? auditedMembership(after) : {});
  await recordAudit(tx, tenant, { action: `member.${verb}`, resourceType: "member", resourceId, changes });
}
