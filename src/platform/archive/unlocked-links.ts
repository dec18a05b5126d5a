import type { TransactionSql } from "postgres";

/**
 * Turns off restored links that had a password, which no archive contains: without it, they would be open to everyone.
 * That they had one is known from the last revision of each. Returns their addresses, also of those that were off before:
 * whoever turns one on has to know.
 */
export async function turnOffUnlocked(tx: TransactionSql, orgId: string): Promise<string[]> {
  const rows = await tx<{ address: string }[]>`
    update links set is_active = false from domains
    where links.org_id = ${orgId} and links.kind = 'link' and links.deleted_at is null
      and domains.id = links.domain_id and (
        select snapshot ->> 'passwordProtected' from link_revisions where link_id = links.id
        order by link_revisions.version desc limit 1) = 'true'
    returning domains.hostname || concat_ws('/', '', nullif(path_prefix, ''), slug) as address`;
  return rows.map(({ address }) => address);
}
