/**
 * Seals stored secrets under the current key that are still sealed under that of `APP_SECRET_PREVIOUS`, so that the
 * setting can be removed. A secret that is replaced at the same time stays as it then is. A run may be stopped anywhere
 * and started again.
 */
import type { Sql } from "postgres";
import { LEAST_ID } from "@/core/ids";
import { SEALED_COLUMNS, type Seal } from "@/platform/seal";

export interface ResealOptions {
  sql: Sql;
  seal: Pick<Seal, "renew">;
  signal: AbortSignal;
}

const BATCH_ROWS = 500;

/** Returns how many secrets it sealed again. */
export async function resealSecrets(options: ResealOptions): Promise<number> {
  let resealed = 0;
  for (const column of SEALED_COLUMNS) resealed += await resealColumn(options, column);
  return resealed;
}

async function resealColumn({ sql, seal, signal }: ResealOptions, sealedColumn: (typeof SEALED_COLUMNS)[number]) {
  const { table, key, column, place } = sealedColumn;
  let resealed = 0;
  for (let after: string | undefined = LEAST_ID; after !== undefined && !signal.aborted; ) {
    const rows: { id: string; sealed: Uint8Array }[] = await sql`
      select ${sql(key)} as id, ${sql(column)} as sealed from ${sql(table)}
      where ${sql(column)} is not null and ${sql(key)} > ${after}::text::uuid order by 1 limit ${BATCH_ROWS}`;
    for (const { id, sealed } of rows) {
      const renewed = seal.renew(sealed, `${place}:${id}`);
      if (renewed === undefined) continue;
      const updated = await sql`
        update ${sql(table)} set ${sql(column)} = ${Buffer.from(renewed)}
        where ${sql(key)} = ${id} and ${sql(column)} = ${Buffer.from(sealed)}`;
      resealed += updated.count;
    }
    after = rows.at(-1)?.id;
  }
  return resealed;
}
