/** Audit entries of one organization. */
import { and, count, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { auditLogs } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type AuditLogRow = typeof auditLogs.$inferSelect;

export interface AuditLogFilter {
  action?: string;
  resourceType?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  actorEmail?: string;
}

export async function listAuditLogs(db: Db, orgId: OrgId, filter: AuditLogFilter, page: number, limit: number) {
  const where = and(eq(auditLogs.orgId, orgId), matching(filter));
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(auditLogs)
      .where(where)
      .orderBy(desc(auditLogs.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(auditLogs).where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

const matching = ({ action, resourceType, from, to, actorEmail }: AuditLogFilter): SQL | undefined =>
  and(
    action === undefined ? undefined : eq(auditLogs.action, action),
    resourceType === undefined ? undefined : eq(auditLogs.resourceType, resourceType),
    from && gte(auditLogs.createdAt, from),
    to && lt(auditLogs.createdAt, to),
    actorEmail === undefined ? undefined : eq(auditLogs.actorEmail, actorEmail),
  );
