import type { Member } from "@/contract/accounts/members";
import { statedUser } from "@/core/stated-user";
import type { MemberRow } from "./store";

export const presentMember = (row: MemberRow): Member => ({
  _id: row.id,
  userId: row.userId ?? undefined,
  name: identityOf(row).name,
  ...auditedMembership(row),
  createdAt: row.createdAt.toISOString(),
  invitedBy: row.invitedBy ?? undefined,
});

/** The fields of a membership that go into the audit log. */
export const auditedMembership = (row: MemberRow) => ({
  email: identityOf(row).email ?? "",
  role: row.role,
  status: row.userId === null ? ("invited" as const) : ("active" as const),
  inviteExpiresAt: row.inviteExpiresAt?.toISOString(),
});

/**
 * Returns how to name a member. A member whom an identity provider added may be a stranger with an account: the
 * organization sees only what its provider stated.
 */
function identityOf(row: MemberRow): { email?: string; name?: string } {
  const email = row.userEmail ?? row.invitedEmail ?? undefined;
  if (row.identityId === null || email === undefined) return { email, name: row.userName ?? undefined };
  return statedUser({ email: row.statedEmail, name: row.statedName }, email);
}
