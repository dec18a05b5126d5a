/**
 * Writes a link's history: one revision per change, with the fields that changed and the link's own fields after the
 * change. Passwords appear as set or not set, never as hashes. The click writer reads the snapshots to see how a
 * click was routed. In them, all rules have their numbers, so that a version can be restored with those.
 */
import type { Tenant } from "@/core/ids";
import { withNumbers } from "@/core/rules/rule-numbers";
import { blankRow } from "@/modules/addresses/service";
import type { ExtraStatement, NewLinkRow } from "@/modules/addresses/store";
import { type AuditEntry, auditsStatement, recordAudits } from "@/modules/audit-logs/service";
import { jsonRows } from "@/platform/db/json-rows";
import { linkRevisions } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { ownFields } from "./present";
import { insertRevisions, type LinkRow, type RevisionRow } from "./store";

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const snapshotOf = (link: NewLinkRow): Record<string, unknown> => ({
  slug: link.slug,
  domainId: link.domainId,
  ...ownFields(link),
  rules: withNumbers(link.rules),
  isActive: link.isActive,
  passwordProtected: link.passwordHash !== null,
});

function changesBetween(before: NewLinkRow | null, after: NewLinkRow | null): FieldChange[] {
  const from: Record<string, unknown> = before ? snapshotOf(before) : {};
  const to: Record<string, unknown> = after ? snapshotOf(after) : {};
  const changes = Object.keys({ ...from, ...to })
    .filter((field) => !Bun.deepEquals(from[field], to[field]))
    .map((field) => ({
      field,
      from: from[field] ?? null,
      to: to[field] ?? null,
    }));
  const isPasswordReplaced = before?.passwordHash && after?.passwordHash && before.passwordHash !== after.passwordHash;
  return isPasswordReplaced ? [...changes, { field: "password", from: "set", to: "replaced" }] : changes;
}

/** Equals `changesBetween(null, link)` for the link of this snapshot. */
const fieldsMade = (snapshot: Record<string, unknown>): FieldChange[] =>
  Object.entries(snapshot).flatMap(([field, to]) => (to === undefined ? [] : [{ field, from: null, to }]));

const NO_PLACE = { id: "", orgId: "", domainId: "", slug: "", slugKey: "", defaultUrl: "" };
/** The order in which fields are listed; Postgres stores the fields of a snapshot in another order. */
const FIELDS = Object.keys(snapshotOf({ ...blankRow, ...NO_PLACE }));

/** Returns the changes of a revision. A link's first revision stores none, because they follow from its snapshot. */
export function changesOfRevision({ version, changes, snapshot }: RevisionRow): FieldChange[] {
  if (version > 1 || changes.length > 0) return changes;
  const fields = [...new Set([...FIELDS, ...Object.keys(snapshot)])];
  return fieldsMade(Object.fromEntries(fields.map((field) => [field, snapshot[field]])));
}

interface LinkChanged {
  before: LinkRow;
  after: LinkRow;
}

/** Writes the revision and the audit entry of each change, in the transaction of the changes. */
export async function recordChanges(tx: Db, tenant: Tenant, changed: readonly LinkChanged[]): Promise<void> {
  const recorded = await recordRevisions(tx, tenant, changed);
  await recordAudits(
    tx,
    tenant,
    recorded.map(({ after, changes }) => entryOf("update", after.id, changes)),
  );
}

/** Writes only the revisions. */
export async function recordRevisions(tx: Db, tenant: Tenant, changed: readonly LinkChanged[]) {
  const recorded = changed.map(({ before, after }) => ({ before, after, changes: changesBetween(before, after) }));
  const revisions = recorded.map(({ after, changes }) => revisionOf(tenant, after, changes));
  await insertRevisions(tx, tenant.orgId, revisions);
  return recorded;
}

const revisionRows = jsonRows(linkRevisions, "changedAt");

/** The revisions and audit entries of new links, to be written in the same statement as their rows. */
export function historyStatements(tenant: Tenant, rows: readonly NewLinkRow[]): ExtraStatement[] {
  const entries = rows.map((row) => entryOf("create", row.id, fieldsMade(snapshotOf(row))));
  return [revisionsStatement(tenant, rows), auditsStatement(tenant, entries)];
}

/**
 * Only the revisions, for links created by a job that has one audit entry for all of them. Their changes follow from
 * the snapshot (`changesOfRevision`).
 */
export function revisionsStatement(tenant: Tenant, rows: readonly NewLinkRow[]): ExtraStatement {
  const revisions = rows.map((row) => ({ ...revisionOf(tenant, row, []), orgId: tenant.orgId }));
  return {
    statement: (parameter, made) =>
      `${revisionRows.insertFrom(parameter)} where link_id in (select id from ${made}) returning 1`,
    parameter: revisionRows.write(revisions),
  };
}

const revisionOf = (tenant: Tenant, link: NewLinkRow, changes: FieldChange[]) => ({
  id: Bun.randomUUIDv7(),
  linkId: link.id,
  version: link.version,
  changedBy: tenant.actor.id,
  changes,
  snapshot: snapshotOf(link),
});

/** A deleted link keeps its revisions; the deletion itself is recorded in the audit log only. */
export const recordDeletions = (tx: Db, tenant: Tenant, deleted: readonly LinkRow[]): Promise<void> =>
  recordAudits(
    tx,
    tenant,
    deleted.map((link) => entryOf("delete", link.id, changesBetween(link, null))),
  );

const entryOf = (verb: "create" | "update" | "delete", resourceId: string, changes: FieldChange[]): AuditEntry => ({
  action: `link.${verb}`,
  resourceType: "link",
  resourceId,
  changes: Object.fromEntries(changes.map(({ field, from, to }) => [field, { from, to }])),
});
