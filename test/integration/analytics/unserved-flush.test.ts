/** Writing counts of unserved visits from the process to Postgres. */
import { afterAll, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { HOUR_MS } from "@/core/time/time-range";
import { createLog } from "@/platform/telemetry/log";
import { openUnserved, type UnservedBuffer } from "@/platform/unserved/flush";

const START = Date.parse("2026-06-01T12:30:00.000Z");
const database = await createDatabase();
const { sql } = database;
let now = START;
const opened: UnservedBuffer[] = [];
afterAll(async () => {
  for (const unserved of opened) await unserved[Symbol.asyncDispose]();
  await database.drop();
});

function server(): UnservedBuffer {
  const unserved = openUnserved({ sql, clock: () => now, log: createLog(() => {}) });
  opened.push(unserved);
  return unserved;
}

async function organization(): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into organizations (id, name, slug, plan) values (${id}, 'Acme', ${id}, 'free')`;
  return id;
}

const add = (unserved: UnservedBuffer, orgId: string) =>
  unserved.add({ orgId, domainId: Bun.randomUUIDv7(), reason: "unknown", address: "/a", isBot: false, at: now });
const rows = async (orgId: string) => (await sql`select 1 from unserved_visits where org_id = ${orgId}`).length;

test("counts do not wait for an organization that is being deleted, and leave no row of it", async () => {
  const [unserved, orgId, other] = [server(), await organization(), await organization()];
  add(unserved, orgId);
  // More than fit into one statement.
  for (let domain = 0; domain < 60; domain++) add(unserved, other);
  await sql.begin(async (tx) => {
    await tx`delete from organizations where id = ${orgId}`;
    await unserved.flush();
    expect(await rows(other)).toBe(60);
  });
  await unserved.flush();
  expect(await rows(orgId)).toBe(0);
});

test("counts of an organization whose deletion is rolled back are stored, even if their hour is over", async () => {
  const [unserved, orgId] = [server(), await organization()];
  add(unserved, orgId);
  const undone = new Error("undone");
  const deletion = sql.begin(async (tx) => {
    await tx`delete from organizations where id = ${orgId}`;
    now += HOUR_MS;
    await unserved.flush();
    throw undone;
  });
  await expect(deletion).rejects.toBe(undone);
  expect(await rows(orgId)).toBe(0);
  await unserved.flush();
  expect(await rows(orgId)).toBe(1);
});

test("counts of a deleted organization do not delay others", async () => {
  const [unserved, gone, orgId] = [server(), await organization(), await organization()];
  for (const each of [gone, orgId]) add(unserved, each);
  await sql`delete from organizations where id = ${gone}`;
  await unserved.flush();
  expect([await rows(gone), await rows(orgId)]).toEqual([0, 1]);
});
