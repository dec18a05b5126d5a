/** Clicks that only figures know of: the export counts them, and they are former clicks where the archive is imported. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip, gzipSync } from "node:zlib";
import { archiveOf, importArchive } from "@test/support/accounts/archives";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { OrganizationExport } from "@/contract/accounts/exports";
import { TAR_END, type TarFile, tarEntry, tarFiles } from "@/core/archive/tar";
import { DAY_MS } from "@/core/time/time-range";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const ada = await here.register();
const eve = await here.register();
const bea = await here.register();
/** Late enough for the visits also if the day ends meanwhile. */
const kept = new Date(Date.now() - (Date.now() % DAY_MS) + 2 * DAY_MS).toISOString();

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
    await here.sql`insert into raw_retention (org_id, kept_from) values (${orgId}, ${kept})`;
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
  expect(expiredClicks).toEqual({ count: 3, before: kept });
});

test("those that are about to be deleted are in no export, either", async () => {
  expect(await here.sql`select from clicks where org_id = ${bea.orgId}`).toHaveLength(3);
  const { counts, expiredClicks } = await exported(bea);
  expect(counts).not.toHaveProperty("clicks");
  expect(expiredClicks).toEqual({ count: 3, before: kept });
});

test("an export without any does not mention them", async () => {
  const { counts, expiredClicks } = await exported(eve);
  expect(counts.clicks).toBe(3);
  expect(expiredClicks).toBeUndefined();
});

async function archiveFile({ orgId }: typeof ada, isKept: (name: string) => boolean = () => true): Promise<string> {
  const files: TarFile[] = [];
  for await (const file of tarFiles(Readable.from([await archiveOf(here.sql, orgId)]).pipe(createGunzip())))
    if (isKept(file.name)) files.push(file);
  const path = join(await makeFolderOfFile(), "archive.tar.gz");
  await Bun.write(path, gzipSync(Buffer.concat([...files.map((file) => tarEntry(file, 0)), TAR_END])));
  return path;
}

test("where the archive is imported, they are former clicks beside those from before, and the operator learns so", async () => {
  const [{ today } = { today: "" }] = await here.sql<{ today: string }[]>`
    select max(day)::date::text as today from figures_daily where org_id = ${ada.orgId}`;
  const [link] = await here.sql<{ id: string }[]>`
    update links set clicks_before = 9 where org_id = ${ada.orgId} returning id`;
  await here.sql`insert into former_click_days (org_id, link_id, import_id, days, counts, total, last_day)
    values (${ada.orgId}, ${link?.id ?? ""}, ${Bun.randomUUIDv7()}, ${`{2024-05-01,${today}}`}::text::date[],
      '{4,1}', 5, ${today})`;
  const { message } = await importArchive(database, await archiveFile(ada));
  expect(message).toContain(
    `Former clicks of their links here, because the other service no longer kept them one by one: 3 clicks before ${kept.slice(0, 10)}.`,
  );
  expect(message).not.toContain("Missing from the figures");
  const [found] = await there.sql`select clicks_before::int as clicks from links where org_id = ${ada.orgId}`;
  expect(found?.clicks).toBe(12);
  const [latest] = await there.sql`
    select days::text as days, counts::text as counts, total::int as total from former_click_days
    where org_id = ${ada.orgId} order by import_id desc limit 1`;
  expect(latest).toEqual({ days: `{2024-05-01,${today}}`, counts: "{4,4}", total: 8 });
});

test("those of an archive that an earlier release wrote are missing, and the operator learns so", async () => {
  const file = await archiveFile(bea, (name) => !name.startsWith("expired_click_days/"));
  const { message } = await importArchive(database, file);
  expect(message).toContain(
    `Missing from the figures, because the other service no longer kept them one by one: 3 clicks before ${kept.slice(0, 10)}.`,
  );
  expect(await there.sql`select from links where org_id = ${bea.orgId} and clicks_before > 0`).toHaveLength(0);
});
