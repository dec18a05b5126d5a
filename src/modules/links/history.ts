import type { RevisionPage } from "@/contract/links/revisions";
import { isUuid, type Tenant } from "@/core/ids";
import { withNumbers } from "@/core/rules/rule-numbers";
import { notFound } from "@/http/errors";
import { pagingOf } from "@/http/page";
import type { Drizzle } from "@/platform/db/client";
import { changesOfRevision } from "./revisions";
import { findLink, listRevisions, type RevisionRow } from "./store";

export type LinkHistory = ReturnType<typeof createLinkHistory>;

/** Lists a link's revisions, newest first. Throws 404, also for a deleted link. */
export function createLinkHistory({ db }: { db: Drizzle }) {
  return async ({ orgId }: Tenant, linkId: string, page: number, limit: number): Promise<RevisionPage> => {
    if (!isUuid(linkId) || !(await findLink(db, orgId, linkId))) throw notFound("link");
    const { rows, total, isEstimate } = await listRevisions(db, orgId, linkId, { page, limit });
    return { revisions: rows.map(presentRevision), ...pagingOf(page, limit, total, isEstimate) };
  };
}

function presentRevision(row: RevisionRow) {
  const revision = { ...row, snapshot: completed(row.snapshot) };
  return {
    _id: revision.id,
    version: revision.version,
    changedBy: revision.changedBy,
    changedAt: revision.changedAt.toISOString(),
    changes: changesOfRevision(revision),
    snapshot: revision.snapshot,
  };
}

/** Snapshots of former releases lack the numbers of rules, and whether the link is archived, which must have a value. */
const completed = (snapshot: RevisionRow["snapshot"]): RevisionRow["snapshot"] => ({
  isArchived: false,
  ...snapshot,
  ...(Array.isArray(snapshot.rules) && { rules: withNumbers(snapshot.rules) }),
});
