/**
 * `delete`: an organization with all it has. First itself and what hangs on it, in one transaction that ends its links on
 * every server; then the rows that only name it, in batches, so that nothing is held up by them; what its webhooks
 * were told first, along the index. Ended in between, it goes
 * on when it is called again with the organization's id. Accounts stay: they are their owners'.
 */
import type { Sql } from "postgres";
import { isUuid } from "@/core/ids";
import { deleteOrphanedDeliveries } from "@/modules/webhooks/retention";
import { type OrganizationTable, organizationTables } from "@/platform/archive/organization-tables";
import { spansOfRows, type TimeSpan, turnBackMonths } from "@/platform/db/citus/columnar";
import type { Database } from "@/platform/db/client";
import { touchOrganization } from "@/platform/link-cache/changes";
import { organizationNamed } from "./find";
import type { CommandOutcome } from "./outcome";

const BATCH_ROWS = 10_000;
const NEVER = new AbortController().signal;

export async function deleteOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  [name = "", confirmation = ""]: string[],
): Promise<CommandOutcome> {
  const organization = await organizationNamed(db, name);
  const id = organization?.id ?? (isUuid(name) ? name : undefined);
  if (!id) return { ok: false, message: `There is no organization ${name}` };
  if (organization && confirmation !== organization.slug) {
    return {
      ok: false,
      message: `Nothing was deleted. To confirm, repeat the slug: delete ${name} ${organization.slug}`,
    };
  }
  if (organization) {
    await db.transaction(async (tx) => {
      await touchOrganization(tx, organization.id);
      await tx.execute(`delete from organizations where id = '${organization.id}'`);
    });
  }
  const rows = (await deleteOrphanedDeliveries({ sql, signal: NEVER })) + (await deleteRest(sql, id));
  return { ok: true, message: `Deleted ${organization?.slug ?? id} with ${rows} rows of its history` };
}

/** Of tables without a foreign key. */
async function deleteRest(sql: Sql, id: string): Promise<number> {
  let rows = 0;
  // They could not be deleted from.
  await turnBackMonths(sql, id);
  const spans = await spansOfRows(sql);
  for (const table of organizationTables) {
    const parts = table.name === "clicks" && spans ? spans : [undefined];
    for (const span of parts) rows += await deleteFrom(sql, id, table, span);
  }
  return rows;
}

async function deleteFrom(sql: Sql, id: string, { name, key }: OrganizationTable, span?: TimeSpan): Promise<number> {
  const within = span ? sql`and occurred_at >= ${span.from} and occurred_at < ${span.to}` : sql``;
  let rows = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; rows += last) {
    const deleted = await sql`
      delete from ${sql(name)} where org_id = ${id} ${within} and (${sql(key)}) in (
        select ${sql(key)} from ${sql(name)} where org_id = ${id} ${within} limit ${BATCH_ROWS})`;
    last = deleted.count;
  }
  return rows;
}
