import type { Member } from "@/contract/members";
import type { MemberRow } from "./store";

export const presentMember = (row: MemberRow): Member => ({
  _id: row.id,
  userId: row.userId ?? undefined,
  name: row.userName ?? undefined,
  ...auditedFields(row),
  createdAt: row.createdAt.toISOString(),
  invitedBy: row.invitedBy ?? undefined,
});

/** What audit entries tell of a membership before and after. */
export const auditedFields = (row: MemberRow) => ({
  email: row.userEmail ?? row.invitedEmail ?? "",
  role: row.role,
  status: row.userId === null ? ("invited" as const) : ("active" as const),
  inviteExpiresAt: row.inviteExpiresAt?.toISOString(),
});
