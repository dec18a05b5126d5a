/**
 * Seals stored secrets under the current key that are still sealed under that of `APP_SECRET_PREVIOUS`, so that the
 * setting can be removed. A secret that is replaced at the same time stays as it then is. A run may be stopped anywhere
 * and started again.
 *
 * What lives for minutes (the credentials of an import, a sign-in in progress) is left alone.
 */
import type { Sql } from "postgres";
import type { Seal } from "@/platform/seal";

export interface ResealOptions {
  sql: Sql;
  seal: Pick<Seal, "renew">;
  signal: AbortSignal;
}

const BATCH_ROWS = 500;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

interface SealedColumn {
  table: string;
  key: string;
  column: string;
  /** What the key is appended to in the place that the secret is sealed for. */
  place: string;
}

const COLUMNS: readonly SealedColumn[] = [
  { table: "users", key: "id", column: "totp_secret", place: "users.totp_secret" },
  { table: "webhooks", key: "id", column: "secret", place: "webhooks.secret" },
  { table: "webhooks", key: "id", column: "previous_secret", place: "webhooks.secret" },
  {
    table: "sso_configurations",
    key: "org_id",
    column: "client_secret",
    place: "sso_configurations.client_secret",
  },
];

/** Returns how many secrets it sealed again. */
export async function resealSecrets(options: ResealOptions): Promise<number> {
  let resealed = 0;
  for (const column of COLUMNS) resealed += await resealColumn(options, column);
  return resealed;
}

async function resealColumn({ sql, seal, signal }: ResealOptions, { table, key, column, place }: SealedColumn) {
  let resealed = 0;
  for (let after: string | undefined = BEFORE_ALL; after !== undefined && !signal.aborted; ) {
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
