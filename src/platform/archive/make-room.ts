import type { TransactionSql } from "postgres";

/**
 * Removes domains that are restored already and whose host a later row of the archive has: they had been deleted, with
 * all their links, and added again, perhaps under their former id. As then, the links pass to the shared domain.
 */
export async function makeRoomForDomains(tx: TransactionSql, orgId: string, lines: readonly string[]): Promise<void> {
  const rows = tx`jsonb_populate_recordset(null::domains, ${`[${lines.join(",")}]`}::text::jsonb) as later`;
  const isFormer = tx`
    former.org_id = ${orgId} and later.org_id = former.org_id and later.hostname = former.hostname
    and (later.id <> former.id or later.created_at > former.created_at)`;
  await tx`
    update links set deleted_at = coalesce(deleted_at, later.created_at), former_hostname = former.hostname,
      domain_id = (select id from domains where org_id is null)
    from domains as former, ${rows} where links.domain_id = former.id and ${isFormer}`;
  await tx`delete from domains as former using ${rows} where ${isFormer}`;
}

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
