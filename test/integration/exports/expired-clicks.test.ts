/** Clicks that only figures know of are in no archive: the export says so, and so does whoever imports it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { importArchive } from "@test/support/accounts/archives";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { exportOrganization } from "@/admin/export-organization";
import type { OrganizationExport } from "@/contract/accounts/exports";
import { DAY_MS } from "@/core/time/time-range";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const databases = [here, there].map(({ databaseUrl }) => openDatabase(databaseUrl, { pool: "tool" }));
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
});
const [database, otherDatabase] = databases;
if (!database || !otherDatabase) throw new Error("There is no database");

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const ada = await here.register();
const eve = await here.register();
const bea = await here.register();
const tomorrow = new Date(Date.now() - (Date.now() % DAY_MS) + DAY_MS).toISOString();

/** Visits a link of the account three times. */
async function visited(account: typeof ada, slug: string): Promise<void> {
  await here.createLink(account, { slug, defaultUrl: "https://example.com/" });
  for (const _ of [1, 2, 3]) await here.visit(`/${slug}`, { "user-agent": FIREFOX });
}

beforeAll(async () => {
  await visited(ada, "ada");
  await visited(eve, "eve");
  await visited(bea, "bea");
  await waitUntilDrained(here.service);
  for (const { orgId } of [ada, bea])
    await here.sql`insert into raw_retention (org_id, kept_from) values (${orgId}, ${tomorrow})`;
  await here.sql`delete from clicks where org_id = ${ada.orgId}`;
});

async function exported({ orgId, token }: typeof ada): Promise<OrganizationExport> {
  const path = `/api/v1/organizations/${orgId}/exports`;
  const { body } = await here.call<OrganizationExport>("POST", path, { token });
  const look = async () => (await here.call<OrganizationExport>("GET", `${path}/${body._id}`, { token })).body;
  await until(async () => (await look()).status === "done");
  return look();
}

test("an export counts them", async () => {
  const { counts, expiredClicks } = await exported(ada);
  expect(counts).not.toHaveProperty("clicks");
  expect(expiredClicks).toEqual({ count: 3, before: tomorrow });
});

test("those that are about to be deleted are in no export, either", async () => {
  const kept = await here.sql`select from clicks where org_id = ${bea.orgId}`;
  expect(kept).toHaveLength(3);
  const { counts, expiredClicks } = await exported(bea);
  expect(counts).not.toHaveProperty("clicks");
  expect(expiredClicks).toEqual({ count: 3, before: tomorrow });
});

test("an export without any does not mention them", async () => {
  const { counts, expiredClicks } = await exported(eve);
  expect(counts.clicks).toBe(3);
  expect(expiredClicks).toBeUndefined();
});

test("the operator who imports the archive learns how many figures lack, and until when", async () => {
  const parts: Uint8Array[] = [];
  await exportOrganization(database, ada.orgId, async (bytes) => void parts.push(bytes));
  const file = join(await makeQuickFolder(), "archive.tar.gz");
  await Bun.write(file, parts);
  const { message } = await importArchive(otherDatabase, file);
  expect(message).toContain(`no longer kept them one by one: 3 clicks before ${tomorrow.slice(0, 10)}.`);
});
