/**
 * `delete`: deletes an organization with everything it has. The first transaction deletes the organization and the
 * rows that reference it, which ends its links on every server, and notes its hosts, whose certificates a server then
 * removes. Then it waits for the batches that click writers have begun and for the events that are being stored; later
 * ones are left out. The rows that only contain its id are then deleted in batches, so that they hold up nothing: first
 * webhook deliveries, along their index. If interrupted, it continues when it is run again with the organization's id,
 * which it has printed. Accounts stay: they belong to their owners.
 */
import type { Sql } from "postgres";
import { isUuid } from "@/core/ids";
import { plural } from "@/core/plural";
import { statementsOf } from "@/figures/verify/standstill";
import { stopWriters } from "@/figures/write/sketch-removal";
import { deleteOrphanedDeliveries } from "@/modules/webhooks/retention";
import { organizationTables } from "@/platform/archive/organization-tables";
import { DISTRIBUTED_TABLES, isOnCitus } from "@/platform/db/citus/citus-tables";
import { spansOfRows, turnBackMonths } from "@/platform/db/citus/columnar";
import type { Database } from "@/platform/db/client";
import { takeAllLanes } from "@/platform/db/lanes";
import { announceDeletion } from "@/platform/link-cache/changes";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization } from "./outcome";

const BATCH_ROWS = 10_000;
const NEVER = new AbortController().signal;

export async function deleteOrganization(
  { db, sql }: Pick<Database, "db" | "sql">,
  [name = "", confirmation = ""]: string[],
): Promise<CommandOutcome> {
  const organization = await organizationNamed(db, name);
  const id = organization?.id ?? (isUuid(name) ? name : undefined);
  if (!id) return noOrganization(name);
  if (organization && confirmation !== organization.slug) {
    return {
      ok: false,
      message: `Nothing was deleted. To confirm, repeat the slug: delete ${name} ${organization.slug}`,
    };
  }
  if (organization) {
    await db.transaction(async (tx) => {
      await announceDeletion(tx, organization.id);
      await tx.execute(`insert into released_hosts (hostname) select hostname from domains
        where org_id = '${organization.id}' and certificate is not null on conflict do nothing`);
      await tx.execute(`delete from organizations where id = '${organization.id}'`);
    });
    // From now on, only the id leads to what is left.
    console.error(
      `Deleting the history of ${organization.slug}; if this is interrupted, continue with: ` +
        `bun run admin delete ${organization.id} ${organization.slug}`,
    );
  }
  // From here on, clicks and events of the organization are refused, and what was not finished is.
  await sql.begin((tx) => stopWriters(statementsOf(tx)));
  await sql.begin((tx) => takeAllLanes(statementsOf(tx), id));
  const rows = (await deleteOrphanedDeliveries({ sql, signal: NEVER })) + (await deleteRest(sql, id));
  return { ok: true, message: `Deleted ${organization?.slug ?? id} with ${plural(rows, "row")} of its history` };
}

/** Deletes from the tables without a foreign key. Returns the number of rows. */
async function deleteRest(sql: Sql, id: string): Promise<number> {
  const isSpread = await isOnCitus(sql);
  let rows = 0;
  for (const { name } of organizationTables) {
    const isDistributed = isSpread && DISTRIBUTED_TABLES.some((each) => each === name);
    rows += await (isDistributed ? deleteOnWorker(sql, id, name) : deleteInBatches(sql, id, name));
  }
  return rows;
}

async function deleteInBatches(sql: Sql, id: string, name: string): Promise<number> {
  let rows = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; rows += last) {
    // A ctid is unique only within its partition, so a row is identified by both.
    const deleted = await sql`
      delete from ${sql(name)} where (tableoid, ctid) in (
        select tableoid, ctid from ${sql(name)} where org_id = ${id} limit ${BATCH_ROWS})`;
    last = deleted.count;
  }
  return rows;
}

/**
 * Deletes from a distributed table, where rows cannot be identified by ctid from here. Turns months stored in columns
 * back into rows first, because nothing can be deleted from columns.
 */
async function deleteOnWorker(sql: Sql, id: string, name: string): Promise<number> {
  if (name === "clicks") await turnBackMonths(sql, id);
  const spans = (name === "clicks" && (await spansOfRows(sql))) || [undefined];
  let rows = 0;
  for (const span of spans) {
    const within = span ? sql`and occurred_at >= ${span.from} and occurred_at < ${span.to}` : sql``;
    rows += (await sql`delete from ${sql(name)} where org_id = ${id} ${within}`).count;
  }
  return rows;
}
