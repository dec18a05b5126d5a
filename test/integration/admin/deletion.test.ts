/** What deleting an organization meets while the service is running. */
import { afterAll, expect, test } from "bun:test";
import { operatorParts } from "@test/support/accounts/operator";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { commands } from "@/admin/commands";
import { organizationTables } from "@/platform/archive/organization-tables";
import { openDatabase } from "@/platform/db/client";

const service = await startTestService();
const { sql } = service;
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

test("clicks that wait in the spool are not written once their organization is deleted, and those of others are", async () => {
  const [gone, stays] = [await organization(), await organization()];
  for (const { link } of [gone, stays]) expect((await service.visit(link)).status).toBe(302);
  await waitUntilDrained(service.service);
  expect(await clicksOf(gone.orgId)).toBe(1);
  const release = await holdWriters();
  for (const { link } of [gone, stays]) expect((await service.visit(link)).status).toBe(302);
  await until(async () => (await waitingForSpools()) > 0);
  const deletion = { isDone: false };
  const deleting = remove(gone).finally(() => {
    deletion.isDone = true;
  });
  // The deletion may wait for the writer.
  await until(async () => deletion.isDone || (await waitingForSpools()) > 1);
  await release();
  await deleting;
  await waitUntilDrained(service.service);
  expect(await rowsOf(gone.orgId)).toEqual([]);
  expect(await clicksOf(stays.orgId)).toBe(2);
});

async function organization() {
  const account = await service.register();
  return { ...account, link: await service.createLink(account, { defaultUrl: "https://example.com/" }) };
}

async function remove({ orgId }: { orgId: string }): Promise<void> {
  const [row] = await sql`select slug from organizations where id = ${orgId}`;
  const outcome = await commands.delete?.run(database.db, [orgId, row?.slug], database, operatorParts(service));
  expect(outcome).toMatchObject({ ok: true });
}

async function clicksOf(orgId: string): Promise<number> {
  const [row] = await sql`select count(*)::int as clicks from clicks where org_id = ${orgId}`;
  return row?.clicks;
}

/** Returns the tables that have rows of the organization. */
async function rowsOf(orgId: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of organizationTables) {
    const rows = await sql`select 1 from ${sql(name)} where org_id = ${orgId} limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Keeps click writers from writing anything until the function it returns is called. */
async function holdWriters(): Promise<() => Promise<void>> {
  const connection = await sql.reserve();
  await connection`begin`;
  await connection`lock table spools in exclusive mode`;
  return async () => {
    await connection`commit`;
    connection.release();
  };
}

/** How many transactions wait for the lock that `holdWriters` holds. */
async function waitingForSpools(): Promise<number> {
  const [row] = await sql`
    select count(*)::int as waiting from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where relation = 'spools'::regclass and datname = current_database() and not granted`;
  return row?.waiting;
}
