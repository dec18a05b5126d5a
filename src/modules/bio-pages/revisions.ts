/**
 * Writes revisions and audit entries of bio pages. No route lists the revisions: the click writer reads in them where
 * an item led when it was clicked, from `defaultUrl` and `splitTargets` as in revisions of links.
 */
import { type Changes, changesOf } from "@/core/changes";
import type { Tenant } from "@/core/ids";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Db } from "@/platform/db/tx";
import { ownPageFields } from "./present";
import { insertRevision, type PageRecord } from "./store";

type Page = Pick<PageRecord, "link" | "page">;

/** Returns the changed fields; empty if nothing changed. The address is included when a page is created or deleted. */
export const changesBetween = (before: Page | null, after: Page | null): Changes =>
  changesOf(before ? auditedFields(before, !after) : {}, after ? auditedFields(after, !before) : {});

const auditedFields = ({ link, page }: Page, isWhole: boolean) => ({
  ...(isWhole && { domainId: link.domainId, slug: link.slug }),
  ...ownPageFields(link, page),
});

/** Writes the revision and the audit entry of a change, in its transaction. */
export async function recordChange(tx: Db, tenant: Tenant, verb: "create" | "update", after: Page, changes: Changes) {
  const { link, page } = after;
  const { slug, domainId, defaultUrl, splitTargets } = link;
  await insertRevision(tx, tenant.orgId, {
    id: Bun.randomUUIDv7(),
    linkId: link.id,
    version: link.version,
    changedBy: tenant.actor.id,
    changes: Object.entries(changes).map(([field, { from, to }]) => ({ field, from, to })),
    snapshot: { slug, domainId, defaultUrl, splitTargets, ...ownPageFields(link, page) },
  });
  await audit(tx, tenant, verb, link.id, changes);
}

export const recordPageDeletion = (tx: Db, tenant: Tenant, before: Page): Promise<void> =>
  audit(tx, tenant, "delete", before.link.id, changesBetween(before, null));

const audit = (tx: Db, tenant: Tenant, verb: string, resourceId: string, changes: Changes): Promise<void> =>
  recordAudit(tx, tenant, { action: `bio_page.${verb}`, resourceType: "bio_page", resourceId, changes });
