/** Deleting an organization, and restoring it from its archive, while the service is running. */
import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { archiveOf } from "@test/support/accounts/archives";
import { operatorParts } from "@test/support/accounts/operator";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { createMint, PIXEL, SECRET } from "@test/support/match";
import { scrape } from "@test/support/scrape";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import { commands } from "@/admin/commands";
import type { CommandOutcome } from "@/admin/outcome";
import { buildDays } from "@/figures/columns/build-days";
import { storeLeaders } from "@/figures/read/links/stored-leaders";
import { statementsOf } from "@/figures/verify/standstill";
import { verifyFigures } from "@/figures/verify/verify";
import { organizationTables } from "@/platform/archive/organization-tables";
import { openDatabase } from "@/platform/db/client";
import { takeAllLanes } from "@/platform/db/lanes";
import { takeFiguresLock } from "@/platform/db/locks";

const service = await startTestService({ env: { APP_SECRET: SECRET } });
const { sql } = service;
const mint = await createMint(service);
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

test("clicks that wait in the spool are not written once their organization is deleted, and those of others are", async () => {
  const [gone, stays] = [await organization(), await organization()];
  for (const { link } of [gone, stays]) expect((await service.visit(link)).status).toBe(302);
  await waitUntilDrained(service.service);
  expect(await clicksOf(gone.orgId)).toBe(1);
  const { deleting } = await whileLocked(sql, "lock table spools in exclusive mode", async () => {
    for (const { link } of [gone, stays]) expect((await service.visit(link)).status).toBe(302);
    await waitUntilBlocked(sql, 1);
    const deleting = remove(gone);
    // The deletion may wait for the writer.
    await Promise.race([deleting, waitUntilBlocked(sql, 2)]);
    return { deleting };
  });
  await deleting;
  await waitUntilDrained(service.service);
  expect(await rowsOf(gone.orgId)).toEqual([]);
  expect(await clicksOf(stays.orgId)).toBe(2);
});

test("a deletion that Postgres interrupts has said how to continue it, because the organization no longer has a name", async () => {
  const gone = await organization();
  expect((await service.visit(gone.link)).status).toBe(302);
  await waitUntilDrained(service.service);
  await sql.unsafe(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$;
    create trigger refuse before delete on clicks execute function refuse()`);
  using said = spyOn(console, "error").mockImplementation(() => undefined);
  const [row] = await sql`select slug from organizations where id = ${gone.orgId}`;
  await expect(Promise.resolve(run("delete", row?.slug, row?.slug))).rejects.toThrow();
  await sql`drop function refuse cascade`;
  expect(await clicksOf(gone.orgId)).toBe(1);
  const [, ...values] = /bun run admin delete (\S+) (\S+)$/.exec(String(said.mock.calls[0]?.[0])) ?? [];
  expect(await run("delete", ...values)).toMatchObject({ ok: true });
  expect(await rowsOf(gone.orgId)).toEqual([]);
});

test("a day that is being stored in columns leaves none of its clicks when its organization is deleted", async () => {
  const gone = await organization();
  expect((await service.visit(gone.link)).status).toBe(302);
  await waitUntilDrained(service.service);
  const { orgId } = gone;
  await sql`update clicks set occurred_at = occurred_at - interval '1 day' where org_id = ${orgId}`;
  await verifyFigures(sql, { span: {}, orgId, isRepairing: true, onDifference: () => {} });
  const { deleting } = await whileLocked(sql, "lock table clicks in share mode", async () => {
    const { storing, ...rest } = await sql.begin(async (tx) => {
      await takeFiguresLock(statementsOf(tx), orgId);
      const storing = buildDays(sql, { now: Date.now(), orgId, clicksMin: 1 });
      await waitUntilBlocked(sql, 1);
      const deleting = remove(gone);
      // The deletion waits for the clicks at the latest.
      await waitUntilBlocked(sql, 2);
      return { storing, deleting };
    });
    await storing;
    return rest;
  });
  await deleting;
  expect(await rowsOf(orgId)).toEqual([]);
});

test("the leaders of a day that are being stored leave nothing when their organization is deleted", async () => {
  const gone = await organization();
  expect((await service.visit(gone.link, { "user-agent": PIXEL })).status).toBe(302);
  await waitUntilDrained(service.service);
  const { orgId } = gone;
  await sql`update clicks set occurred_at = occurred_at - interval '1 day' where org_id = ${orgId}`;
  await verifyFigures(sql, { span: {}, orgId, isRepairing: true, onDifference: () => {} });
  await sql`create function wait_for_test() returns trigger as $$
    begin perform pg_advisory_xact_lock(7); return new; end $$ language plpgsql`;
  await sql`create trigger waits before insert on leader_days for each row execute function wait_for_test()`;
  const { storing, deleting } = await whileLocked(sql, "select pg_advisory_xact_lock(7)", async () => {
    const storing = storeLeaders(sql, { now: Date.now(), days: 2, orgId, clicksMin: 1 });
    await waitUntilBlocked(sql, 1);
    const deleting = remove(gone);
    // The deletion may wait for what is being stored.
    await Promise.race([deleting, waitUntilBlocked(sql, 2)]);
    return { storing, deleting };
  });
  expect(await storing).toBe(1);
  await deleting;
  expect(await rowsOf(orgId)).toEqual([]);
});

test("an event that is being stored leaves nothing when its organization is deleted", async () => {
  const gone = await organization();
  const apiKey = await service.createApiKey(gone, ["events:write"]);
  const { storing, deleting } = await sql.begin(async (tx) => {
    await takeAllLanes(statementsOf(tx), gone.orgId);
    const storing = service.call("POST", "/api/v1/events", { apiKey, body: { name: "purchase" } });
    await waitUntilBlocked(sql, 1);
    const deleting = remove(gone);
    // The deletion may wait for what is being stored.
    await Promise.race([deleting, waitUntilBlocked(sql, 2)]);
    return { storing, deleting };
  });
  expectFailure(await storing, 401);
  await deleting;
  expect(await rowsOf(gone.orgId)).toEqual([]);
});

test("an install that is being stored leaves nothing when its organization is deleted", async () => {
  const gone = await organization();
  const matchToken = await mint(gone.link._id);
  const { claiming, deleting } = await sql.begin(async (tx) => {
    await takeFiguresLock(statementsOf(tx), gone.orgId);
    const claiming = service.call("POST", "/api/v1/match", { body: { matchToken } });
    await waitUntilBlocked(sql, 1);
    const deleting = remove(gone);
    // The deletion may wait for what is being stored.
    await Promise.race([deleting, waitUntilBlocked(sql, 2)]);
    return { claiming, deleting };
  });
  expect((await claiming).body).toMatchObject({ matched: true });
  await deleting;
  expect(await rowsOf(gone.orgId)).toEqual([]);
});

describe("a link that was changed after its archive was made, deleted with its organization and restored", () => {
  test("is served as archived, and from memory as before", async () => {
    const { link } = await changedAndRestored();
    const visit = async () => (await service.visit(link)).headers.get("location");
    const loads = async () => (await scrape(service.url))("waymark_link_cache_loads_total");
    expect(await visit()).toBe("https://example.com/");
    const before = await loads();
    for (let visits = 0; visits < 5; visits++) expect(await visit()).toBe("https://example.com/");
    expect(await loads()).toBe(before);
  });

  test("and changed again has its clicks counted for its new destination", async () => {
    const { token, orgId, link } = await changedAndRestored();
    const path = `/api/v1/organizations/${orgId}/links/${link._id}`;
    for (const defaultUrl of ["https://example.org/once", "https://example.org/twice"]) {
      expect((await service.call("PATCH", path, { token, body: { defaultUrl } })).status).toBe(200);
      await eventually(async () => (await service.visit(link)).headers.get("location"), defaultUrl);
    }
    await waitUntilDrained(service.service);
    const rows = await sql`
      select distinct destination_url from clicks where org_id = ${orgId} and destination_url like '%example.org%'
      order by 1`;
    expect(rows.map((row) => row.destination_url)).toEqual(["https://example.org/once", "https://example.org/twice"]);
  });

  async function changedAndRestored() {
    const changed = await organization();
    const { orgId, token, link } = changed;
    const path = `/api/v1/organizations/${orgId}/links/${link._id}`;
    const file = join(await makeFolderOfFile(), "archive.tar.gz");
    await Bun.write(file, await archiveOf(sql, orgId));
    for (const defaultUrl of ["https://example.com/later", "https://example.com/last"]) {
      expect((await service.call("PATCH", path, { token, body: { defaultUrl } })).status).toBe(200);
      await eventually(async () => (await service.visit(link)).headers.get("location"), defaultUrl);
    }
    await waitUntilDrained(service.service);
    await remove(changed);
    await eventually(async () => (await service.visit(link)).status, 404);
    expect(await run("import", file)).toMatchObject({ ok: true });
    await eventually(async () => (await service.visit(link)).status, 302);
    return changed;
  }
});

async function organization() {
  const account = await service.register();
  return { ...account, link: await service.createLink(account, { defaultUrl: "https://example.com/" }) };
}

async function run(name: string, ...values: string[]): Promise<CommandOutcome | undefined> {
  return commands[name]?.run(database.db, values, database, operatorParts(service));
}

async function remove({ orgId }: { orgId: string }): Promise<void> {
  const [row] = await sql`select slug from organizations where id = ${orgId}`;
  expect(await run("delete", orgId, row?.slug)).toMatchObject({ ok: true });
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
