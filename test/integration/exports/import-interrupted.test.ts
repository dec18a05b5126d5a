/** The operator's import of an archive whose recount of the figures does not come to its end. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { archiveOf } from "@test/support/accounts/archives";
import { whileLocked } from "@test/support/servers/lock-waits";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { startTestService } from "@test/support/service";
import { importOrganization } from "@/admin/import-organization";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

test("what was imported and what was not is told before the figures are counted", async () => {
  const account = await here.register();
  const { orgId } = account;
  await here.createLink(account, { slug: "kept", defaultUrl: "https://example.com/" });
  await here.createApiKey(account, ["events:write"]);
  const file = join(await makeQuickFolder(), "archive.tar.gz");
  await Bun.write(file, await archiveOf(here.sql, orgId));
  const told = Promise.withResolvers<string>();
  const { importing } = await whileLocked(there.sql, "lock table figures_daily in access exclusive mode", async () => {
    const importing = importOrganization(database, file, async (text) => told.resolve(text));
    expect(await told.promise).toMatch(/^Imported \S+: 1 organization, .*\nNot imported.*: 1 api key\. Create/);
    return { importing };
  });
  expect(await importing).toEqual({ ok: true, message: expect.stringMatching(/^Counted the figures of \S+$/) });
  expect((await there.visit("/kept")).status).toBe(302);
});

test("the figures are counted also if what was imported cannot be told", async () => {
  const account = await here.register();
  const { orgId } = account;
  const apiKey = await here.createApiKey(account, ["events:write"]);
  expect((await here.call("POST", "/api/v1/events", { apiKey, body: { name: "purchase" } })).status).toBe(201);
  const file = join(await makeQuickFolder(), "archive.tar.gz");
  await Bun.write(file, await archiveOf(here.sql, orgId));
  const full = () => Promise.reject(new Error("The disk is full"));
  await expect(importOrganization(database, file, full)).rejects.toThrow("The disk is full");
  const counted = await there.sql`select from event_rollups_daily where org_id = ${orgId}`;
  expect(counted.length).toBeGreaterThan(0);
});
