/** Stores the audit entries of one organization. */
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { type Paging, readPage } from "@/platform/db/read-page";
import { auditLogs, memberships, ssoIdentities, users } from "@/platform/db/schema";

export type AuditLogRow = typeof auditLogs.$inferSelect;

export interface AuditLogFilter {
  action?: string;
  resourceType?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Spellings of one address. */
  actorEmails?: string[];
}

/** Lists one page of entries. Finds the ids first: they and the filters are in the indexes. */
export async function listAuditLogs(db: Drizzle, orgId: OrgId, filter: AuditLogFilter, paging: Paging) {
  const where = and(eq(auditLogs.orgId, orgId), matching(filter));
  const newestFirst = [desc(auditLogs.createdAt), desc(auditLogs.id)];
  const ids = db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(where)
    .orderBy(...newestFirst);
  return readPage(db, paging, {
    rows: (limit, offset) =>
      db
        .select()
        .from(auditLogs)
        .where(and(eq(auditLogs.orgId, orgId), inArray(auditLogs.id, ids.limit(limit).offset(offset))))
        .orderBy(...newestFirst),
    among: sql`from ${auditLogs} where ${where}`,
  });
}

const matching = ({ action, resourceType, from, to, actorEmails }: AuditLogFilter): SQL | undefined =>
  and(
    action === undefined ? undefined : eq(auditLogs.action, action),
    resourceType === undefined ? undefined : eq(auditLogs.resourceType, resourceType),
    from && gte(auditLogs.createdAt, from),
    to && lt(auditLogs.createdAt, to),
    actorEmails && inArray(auditLogs.actorEmail, actorEmails),
  );

/** Returns the addresses of members' accounts whose identity provider states one of these addresses instead. */
export async function accountsStatedAs(db: Drizzle, orgId: OrgId, emails: string[]): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(ssoIdentities, eq(ssoIdentities.id, memberships.id))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), inArray(ssoIdentities.email, emails)));
  return rows.map(({ email }) => email);
}
