/** The audit log: written in the transaction of the change it records, read by admins. */
import type { AuditLogPage, AuditLogQuery } from "@/contract/accounts/audit-logs";
import type { OrgId, Tenant } from "@/core/ids";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { invalid } from "@/http/errors";
import { PAGE_LIMIT, pagingOf } from "@/http/page";
import type { Drizzle } from "@/platform/db/client";
import { jsonRows } from "@/platform/db/json-rows";
import { auditLogs } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { emailSpellings } from "@/platform/hosts/email-address";
import { resourceNames } from "./names";
import { presentAuditLog } from "./present";
import { accountsStatedAs, listAuditLogs } from "./store";

export interface AuditEntry {
  action: string;
  resourceType: string;
  resourceId: string;
  changes?: Record<string, unknown>;
}

export const recordAudit = (tx: Db, tenant: Tenant, entry: AuditEntry): Promise<void> =>
  recordAudits(tx, tenant, [entry]);

/** Expects at least one entry. */
export async function recordAudits(tx: Db, tenant: Tenant, entries: readonly AuditEntry[]): Promise<void> {
  await tx.insert(auditLogs).values(rowsOf(tenant, entries));
}

/** Records changes of several organizations at once. Expects at least one. */
export async function recordAuditsOf(tx: Db, audits: readonly { tenant: Tenant; entry: AuditEntry }[]): Promise<void> {
  await tx.insert(auditLogs).values(audits.flatMap(({ tenant, entry }) => rowsOf(tenant, [entry])));
}

const auditRows = jsonRows(auditLogs, "createdAt");

/**
 * Inserts the entries in the same statement that creates what they record, and only those whose rows it really
 * created.
 */
export const auditsStatement = (tenant: Tenant, entries: readonly AuditEntry[]) => ({
  statement: (parameter: string, made: string) =>
    `${auditRows.insertFrom(parameter)} where resource_id in (select id::text from ${made}) returning 1`,
  parameter: auditRows.write(rowsOf(tenant, entries)),
});

function rowsOf({ orgId, actor }: Tenant, entries: readonly AuditEntry[]) {
  const { accessToken } = actor;
  const by = {
    ...{ actorType: actor.type, actorId: actor.id, actorEmail: actor.email },
    ...{ accessTokenId: accessToken?.id ?? null, accessTokenName: accessToken?.name ?? null },
  };
  const from = { ip: actor.ip, userAgent: actor.userAgent?.slice(0, 512) ?? null };
  return entries.map((entry) => ({ id: Bun.randomUUIDv7(), orgId, changes: {}, ...entry, ...by, ...from }));
}

export type AuditLogService = ReturnType<typeof createAuditLogService>;

export interface AuditLogOptions {
  db: Drizzle;
}

export const createAuditLogService = ({ db }: AuditLogOptions) => {
  /** Entries name the address of an actor's account. Members are listed by the one that single sign-on states. */
  const addressesOf = async (orgId: OrgId, spellings: string[]) => [
    ...spellings,
    ...(await accountsStatedAs(db, orgId, spellings)),
  ];
  return {
    /** Lists entries, newest first. Throws 400 for an invalid range. */
    async list({ orgId }: Tenant, query: AuditLogQuery): Promise<AuditLogPage> {
      const { page = 1, limit = PAGE_LIMIT, action, resourceType, teamEmail } = query;
      const range = rangeOf(query);
      const filter = {
        action,
        resourceType,
        ...range,
        actorEmails: teamEmail === undefined ? undefined : await addressesOf(orgId, emailSpellings(teamEmail)),
      };
      const { rows, total, isEstimate } = await listAuditLogs(db, orgId, filter, { page, limit });
      const names = await resourceNames(db, orgId, rows);
      return { auditLogs: rows.map((row) => presentAuditLog(row, names)), ...pagingOf(page, limit, total, isEstimate) };
    },
  };
};

function rangeOf({ from, to }: Pick<AuditLogQuery, "from" | "to">): { from?: Date; to?: Date } {
  const [start, end] = [from, to].map((text) => (text === undefined ? undefined : parseInstant(text)));
  const faults: string[] = [];
  if (from !== undefined && start === undefined) faults.push(`from: ${NO_INSTANT}`);
  if (to !== undefined && end === undefined) faults.push(`to: ${NO_INSTANT}`);
  if (start !== undefined && end !== undefined && start >= end) faults.push("from: must be before to");
  if (faults.length > 0) throw invalid(faults);
  return { from: dateOf(start), to: dateOf(end) };
}

const dateOf = (instant: number | undefined) => (instant === undefined ? undefined : new Date(instant));
