import type { TransactionSql } from "postgres";

/**
 * Takes from links that are restored already what later rows of the archive have: their address, external id or id at
 * the service that they were imported from. It was free by the time the later row was written: the other link had been
 * deleted, or had given up its external id.
 */
export async function makeRoomForLinks(tx: TransactionSql, orgId: string, lines: readonly string[]): Promise<void> {
  const rows = tx`jsonb_populate_recordset(null::links, ${`[${lines.join(",")}]`}::text::jsonb) as later`;
  const areBoth = tx`
    former.org_id = ${orgId} and later.org_id = former.org_id and later.id <> former.id
    and former.deleted_at is null and later.deleted_at is null`;
  const taken = [
    tx`(later.domain_id, later.prefix_key, later.slug_key) = (former.domain_id, former.prefix_key, former.slug_key)`,
    tx`(later.domain_id, later.look_alike_key) = (former.domain_id, former.look_alike_key)`,
    tx`(later.imported_id, later.imported_source) = (former.imported_id, former.imported_source)`,
  ];
  for (const isTaken of taken)
    await tx`update links as former set deleted_at = later.updated_at from ${rows} where ${areBoth} and ${isTaken}`;
  await tx`
    update links as former set external_id = null from ${rows}
    where ${areBoth} and later.external_id = former.external_id`;
}
