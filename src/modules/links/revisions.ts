/**
 * A link's history: one revision per change, with what changed and the link's own fields after it. Passwords appear as
 * set or not set, never as hashes. The click writer reads the snapshot to know what a click was routed by.
 */
import type { Tenant } from "@/core/ids";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Db } from "@/platform/db/tx";
import { ownFields } from "./present";
import { insertRevision, type LinkRow } from "./store";

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const snapshotOf = (link: LinkRow): Record<string, unknown> => ({
  slug: link.slug,
  domainId: link.domainId,
  ...ownFields(link),
  isActive: link.isActive,
  passwordProtected: link.passwordHash !== null,
});

function changesBetween(before: LinkRow | null, after: LinkRow | null): FieldChange[] {
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

/** Writes revision and audit entry of one change, in its transaction. */
export async function recordChange(
  tx: Db,
  tenant: Tenant,
  verb: "create" | "update",
  before: LinkRow | null,
  link: LinkRow,
) {
  const changes = changesBetween(before, link);
  await insertRevision(tx, tenant.orgId, {
    id: Bun.randomUUIDv7(),
    linkId: link.id,
    version: link.version,
    changedBy: tenant.actor.id,
    changes,
    snapshot: snapshotOf(link),
  });
  await audit(tx, tenant, verb, link.id, changes);
}

/** A deleted link keeps its revisions; of the deletion itself the audit entry tells. */
export const recordDeletion = (tx: Db, tenant: Tenant, link: LinkRow): Promise<void> =>
  audit(tx, tenant, "delete", link.id, changesBetween(link, null));

const audit = (tx: Db, tenant: Tenant, verb: string, resourceId: string, changes: FieldChange[]): Promise<void> =>
  recordAudit(tx, tenant, {
    action: `link.${verb}`,
    resourceType: "link",
    resourceId,
    changes: Object.fromEntries(changes.map(({ field, from, to }) => [field, { from, to }])),
  });
