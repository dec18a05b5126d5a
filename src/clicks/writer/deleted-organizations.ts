/**
 * Keeps clicks of a deleted organization from being written. Links that a writer has cached outlive their organization,
 * and so do clicks in spools and in prepared batches. So every batch checks, after it has updated its spool's row, that
 * its organizations exist. A deletion that commits after that check waits for the batch (`stopWriters`) and then
 * deletes what it wrote.
 */
import { arrayLiteral } from "@/platform/db/array-literals";
import type { EnrichedClick } from "../enrich/enrich";
import type { BatchTransaction } from "./transaction";

export class DeletedOrganizationsError extends Error {
  override name = "DeletedOrganizationsError";

  constructor(readonly ids: ReadonlySet<string>) {
    super(`${ids.size} organizations of these clicks were deleted.`);
  }
}

/** The transaction fails with `DeletedOrganizationsError` if an organization of these clicks does not exist. */
export function refuseDeleted(tx: BatchTransaction, clicks: readonly EnrichedClick[]): void {
  const ids = organizationsOf(clicks);
  if (ids.length === 0) return;
  void tx.send<{ id: string }>(
    `select id::text as id from unnest($1::text::uuid[]) as written (id)
     where not exists (select 1 from organizations where organizations.id = written.id)`,
    [arrayLiteral(ids)],
    (deleted) => {
      if (deleted.length > 0) throw new DeletedOrganizationsError(new Set(deleted.map(({ id }) => id)));
    },
  );
}

export function organizationsOf(clicks: readonly EnrichedClick[]): string[] {
  const found = new Set<string>();
  let last = "";
  for (const { record } of clicks) {
    if (record.orgId !== last) found.add(record.orgId);
    last = record.orgId;
  }
  return [...found];
}
