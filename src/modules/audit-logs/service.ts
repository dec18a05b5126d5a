/** The audit log: written in the transaction of the change it tells of. */
import type { Tenant } from "@/core/ids";
import { auditLogs } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface AuditEntry {
  action: string;
  resourceType: string;
  resourceId: string;
  changes?: Record<string, unknown>;
}

export async function recordAudit(tx: Db, { orgId, actor }: Tenant, entry: AuditEntry): Promise<void> {
  await tx.insert(auditLogs).values({
    id: Bun.randomUUIDv7(),
    orgId,
    ...entry,
    actorType: actor.type,
    actorId: actor.id,
    actorEmail: actor.email,
    ip: actor.ip,
    userAgent: actor.userAgent?.slice(0, 512),
  });
}
