import type { TransactionSql } from "postgres";

/** Returns the addresses of those links and bio pages among the lines that were not restored: others have them here. */
export async function takenAddresses(tx: TransactionSql, lines: readonly string[]): Promise<string[]> {
  const rows = await tx<{ address: string }[]>`
    select domains.hostname || concat_ws('/', '', nullif(row.path_prefix, ''), row.slug) as address
    from jsonb_populate_recordset(null::links, ${`[${lines.join(",")}]`}::text::jsonb) as row
    join domains on domains.id = row.domain_id
    where row.deleted_at is null and not exists (select 1 from links where links.id = row.id) order by row.id`;
  return rows.map(({ address }) => address);
}
