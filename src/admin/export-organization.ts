/**
 * `export`: everything an organization has, as lines of JSON `{table, row}` on standard output: itself, its members, and
 * the rows of every table that has its id. Hashes and sealed secrets stay; figures, which are sums of the rest, do as well.
 * Read from one snapshot, a thousand rows at a time.
 */
import type { TransactionSql } from "postgres";
import type { Database } from "@/platform/db/client";
import { organizationNamed } from "./find";
import { organizationTables } from "./organization-tables";
import type { CommandOutcome } from "./outcome";

const ROWS_A_READ = 1_000;

export async function exportOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  name: string,
): Promise<CommandOutcome> {
  const organization = await organizationNamed(db, name);
  if (!organization) return { ok: false, message: `There is no organization ${name}` };
  const { id } = organization;
  let rows = 0;
  await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const write = async (table: string, reading: AsyncIterable<{ row: unknown }[]>) => {
      for await (const part of reading) {
        process.stdout.write(part.map(({ row }) => `${JSON.stringify({ table, row })}\n`).join(""));
        rows += part.length;
      }
    };
    await write("organizations", readItself(snapshot, id));
    await write("users", readMembers(snapshot, id));
    for (const { name: table, columns, isDerived } of organizationTables) {
      if (!isDerived) await write(table, readTable(snapshot, table, columns, id));
    }
  });
  console.error(`${rows} rows of ${organization.slug}`);
  return { ok: true, message: "" };
}

type Reading = AsyncIterable<{ row: unknown }[]>;

const readItself = (sql: TransactionSql, id: string): Reading =>
  sql<{ row: unknown }[]>`select to_jsonb(o) as row from organizations o where id = ${id}`.cursor(ROWS_A_READ);

const readMembers = (sql: TransactionSql, id: string): Reading =>
  sql<{ row: unknown }[]>`
    select jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as row
    from users u join memberships m on m.user_id = u.id where m.org_id = ${id} order by u.id`.cursor(ROWS_A_READ);

const readTable = (sql: TransactionSql, table: string, columns: string[], id: string): Reading =>
  sql<{ row: unknown }[]>`
    select to_jsonb(part) as row from (select ${sql(columns)} from ${sql(table)} where org_id = ${id}) as part`.cursor(
    ROWS_A_READ,
  );
