/** Turns: a long import, or a long rollback, does not keep other organizations waiting. No service runs here. */
import { afterAll, expect, test } from "bun:test";
import { makeAccount } from "@test/support/accounts/made-account";
import { createDatabase } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { readConfig } from "@/config";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { OrgId, Tenant } from "@/core/ids";
import { openImportJobs } from "@/imports/jobs";
import { createImportService } from "@/modules/imports/service";
import { systemClock } from "@/platform/clock";
import { openKeys } from "@/platform/keys";
import { createAddressCheck } from "@/platform/outbound/addresses";
import { createSeal } from "@/platform/seal";
import { ensureSharedDomain } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const { db, sql, url, drop } = await createDatabase();
const config = readConfig({ DATABASE_URL: url, DATA_DIR: await makeQuickFolder(), SHORT_DOMAIN: "wm.example" });
const shared = await ensureSharedDomain(db, config.shortDomain);
const imports = createImportService({
  ...{ db, clock: systemClock, seal: createSeal(await openKeys(config)), classOf: createAddressCheck([]) },
  wakeImports: () => {},
});
const settings = { ...config, databaseUrl: url, directUrl: url };
const jobs = await openImportJobs(
  settings,
  createLog(() => {}),
  0,
);
afterAll(async () => {
  await jobs[Symbol.asyncDispose]();
  await drop();
});

const never = new AbortController().signal;
let newcomers = 0;

async function newTenant(): Promise<Tenant> {
  const name = `Acme ${++newcomers}`;
  const newcomer = { name: "Ada", email: `user${newcomers}@example.com`, organizationName: name };
  const { session } = await makeAccount({ db, config, clock: systemClock }, newcomer);
  const orgId = session.organizations[0]?._id as OrgId;
  return { orgId, actor: { type: "system", id: null, email: null, ip: null, userAgent: null } };
}

/** Uploads a file with that many links, which lead to pages of this name. Returns the id of the import. */
async function uploaded(tenant: Tenant, prefix: string, rows: number, options: ImportOptionsInput = {}, to = "a") {
  const lines = Array.from({ length: rows }, (_, row) => `${prefix}${row},https://acme.com/${to}/${row}\n`);
  const form = new FormData();
  form.set("options", JSON.stringify({ domainMap: { "*": shared }, ...options }));
  form.set("file", new File([`slug,url\n${lines.join("")}`], "links.csv"));
  const { _id } = await imports.create(tenant, new Request("http://localhost/", { method: "POST", body: form }));
  return _id;
}

const stateOf = async (tenant: Tenant, id: string) => {
  const [{ status }, rows] = [await imports.get(tenant, id), await sql`select cursor from imports where id = ${id}`];
  return [status, rows[0]?.cursor];
};

const liveLinks = async ({ orgId }: Tenant) =>
  (await sql`select count(*)::int as links from links where org_id = ${orgId} and deleted_at is null`)[0]?.links;

test("a long import gives other organizations their turn, and then goes on where it was", async () => {
  const [ada, eve, bea] = [await newTenant(), await newTenant(), await newTenant()];
  const long = await uploaded(ada, "long", 2_500);
  const other = await uploaded(eve, "other", 1_500);
  const short = await uploaded(bea, "short", 3);
  const states = async () => [await stateOf(ada, long), await stateOf(eve, other), await stateOf(bea, short)];
  await jobs.runNext(never);
  expect(await states()).toEqual([
    ["queued", 1_000],
    ["queued", 0],
    ["queued", 0],
  ]);
  for (const _ of [eve, bea]) await jobs.runNext(never);
  expect(await states()).toEqual([
    ["queued", 1_000],
    ["queued", 1_000],
    ["done", 3],
  ]);
  while (await jobs.runNext(never));
  expect(await states()).toEqual([
    ["done", 2_500],
    ["done", 1_500],
    ["done", 3],
  ]);
  expect([await liveLinks(ada), await liveLinks(eve), await liveLinks(bea)]).toEqual([2_500, 1_500, 3]);
  const rows = await sql`select count(*)::int as all, count(distinct row)::int as rows from import_rows
    where import_id = ${long} and result = 'created'`;
  expect(rows[0]).toEqual({ all: 2_500, rows: 2_500 });
});

test("an operator's import does not wait forever for one of its organization that was interrupted", async () => {
  const [ada, eve] = [await newTenant(), await newTenant()];
  const interrupted = await uploaded(ada, "interrupted", 1_200);
  const other = await uploaded(eve, "elsewhere", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, interrupted)).toEqual(["queued", 1_000]);
  const wanted = await uploaded(ada, "wanted", 3);
  while (await jobs.runNext(never, wanted));
  expect([await stateOf(ada, interrupted), await stateOf(ada, wanted), await stateOf(eve, other)]).toEqual([
    ["done", 1_200],
    ["done", 3],
    ["queued", 0],
  ]);
  while (await jobs.runNext(never));
});

test("a long rollback does, too", async () => {
  const [ada, eve] = [await newTenant(), await newTenant()];
  const long = await uploaded(ada, "back", 1_200);
  while (await jobs.runNext(never));
  await imports.rollBack(ada, long, {});
  const short = await uploaded(eve, "between", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, long)).toEqual(["queued", 500]);
  await jobs.runNext(never);
  expect(await stateOf(eve, short)).toEqual(["done", 3]);
  while (await jobs.runNext(never));
  expect([await stateOf(ada, long), await liveLinks(ada)]).toEqual([["done", 1_200], 0]);
});

test("of one organization, an import that has begun ends before the next begins, which replaces its links", async () => {
  const [ada, eve] = [await newTenant(), await newTenant()];
  const first = await uploaded(ada, "one", 1_500);
  const second = await uploaded(ada, "one", 1_500, { onConflict: "replace" }, "b");
  const other = await uploaded(eve, "between-", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, first)).toEqual(["queued", 1_000]);
  await jobs.runNext(never);
  expect([await stateOf(ada, second), await stateOf(eve, other)]).toEqual([
    ["queued", 0],
    ["done", 3],
  ]);
  await jobs.runNext(never);
  expect([await stateOf(ada, first), await stateOf(ada, second)]).toEqual([
    ["done", 1_500],
    ["queued", 0],
  ]);
  while (await jobs.runNext(never));
  expect(await stateOf(ada, second)).toEqual(["done", 1_500]);
});
