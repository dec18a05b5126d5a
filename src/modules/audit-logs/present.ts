import type { AuditLog } from "@/contract/accounts/audit-logs";
import type { AuditLogRow } from "./store";

/** `names` are those of resources, by id. */
export const presentAuditLog = (row: AuditLogRow, names: ReadonlyMap<string, string>): AuditLog => ({
  _id: row.id,
  action: row.action,
  resourceType: row.resourceType,
  resourceId: row.resourceId,
  resourceName: names.get(row.resourceId),
  actor: { type: row.actorType, _id: row.actorId, email: row.actorEmail, accessToken: accessTokenOf(row) },
  ip: row.ip,
  userAgent: row.userAgent,
  changes: row.changes,
  createdAt: row.createdAt.toISOString(),
});

const accessTokenOf = ({ accessTokenId, accessTokenName }: AuditLogRow) =>
  accessTokenId === null ? undefined : { _id: accessTokenId, name: accessTokenName ?? "" };
