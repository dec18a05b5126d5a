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
const silent = createLog(() => {});
const jobs = await openImportJobs(settings, silent, 0);
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
function uploaded(tenant: Tenant, prefix: string, rows: number, options: ImportOptionsInput = {}, to = "a") {
  const lines = Array.from({ length: rows }, (_, row) => `${prefix}${row},https://acme.com/${to}/${row}\n`);
  return uploadedText(tenant, `slug,url\n${lines.join("")}`, options);
}

async function uploadedText(tenant: Tenant, text: string, options: ImportOptionsInput) {
  const form = new FormData();
  form.set("options", JSON.stringify({ domainMap: { "*": shared }, ...options }));
  form.set("file", new File([text], "links.csv"));
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

/** Returns the results of an import's records that are not merely created, by their numbers. */
async function oddResults(id: string) {
  const rows = await sql`
    select row, result from import_rows where import_id = ${id} and result <> 'created' order by row`;
  return rows.map(({ row, result }) => [row, result]);
}

/** Repeats addresses and external ids of its first records after each turn. */
function repeating(rows: number): string {
  const record = (row: number) => {
    const original = row % 1_000 === 7 ? 7 : row;
    return `d${original},https://acme.com/${row},${row % 1_000 === 8 ? "same" : `id${row}`}\n`;
  };
  return `slug,url,externalId\n${Array.from({ length: rows }, (_, row) => record(row)).join("")}`;
}

const SECOND = [
  [1_008, "unchanged"],
  [1_009, "refused"],
];
const THIRD = [
  [2_008, "unchanged"],
  [2_009, "refused"],
];

test("a long dry run gives turns, too, and goes on with what it has planned", async () => {
  const [ada, eve, bea] = [await newTenant(), await newTenant(), await newTenant()];
  const long = await uploadedText(ada, repeating(2_100), { dryRun: true });
  const other = await uploadedText(eve, repeating(1_100), { dryRun: true });
  const short = await uploaded(bea, "brief", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, long)).toEqual(["queued", 1_000]);
  await jobs.runNext(never);
  expect([await stateOf(eve, other), await stateOf(bea, short)]).toEqual([
    ["queued", 1_000],
    ["queued", 0],
  ]);
  await jobs.runNext(never);
  expect(await stateOf(bea, short)).toEqual(["done", 3]);
  // Had it planned the first thousand again, its turn would be over.
  await jobs.runNext(never);
  expect(await stateOf(ada, long)).toEqual(["queued", 2_000]);
  while (await jobs.runNext(never));
  expect([await stateOf(ada, long), await stateOf(eve, other)]).toEqual([
    ["done", 2_100],
    ["done", 1_100],
  ]);
  expect([await liveLinks(ada), await liveLinks(eve)]).toEqual([0, 0]);
  expect([await oddResults(long), await oddResults(other)]).toEqual([[...SECOND, ...THIRD], SECOND]);
});

test("a dry run that goes on in another process plans again what it had planned, and gives turns meanwhile", async () => {
  const [ada, eve] = [await newTenant(), await newTenant()];
  const long = await uploadedText(ada, repeating(1_100), { dryRun: true });
  const first = await uploaded(eve, "first", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, long)).toEqual(["queued", 1_000]);
  const others = await openImportJobs(settings, silent, 0);
  await others.runNext(never);
  expect(await stateOf(eve, first)).toEqual(["done", 3]);
  const second = await uploaded(eve, "second", 3);
  // Another process has to plan the first turn's records again, and has its own turn for that.
  await others.runNext(never);
  expect([await stateOf(ada, long), await stateOf(eve, second)]).toEqual([
    ["queued", 1_000],
    ["queued", 0],
  ]);
  while (await others.runNext(never));
  await others[Symbol.asyncDispose]();
  expect([await stateOf(ada, long), await stateOf(eve, second)]).toEqual([
    ["done", 1_100],
    ["done", 3],
  ]);
  expect(await oddResults(long)).toEqual(SECOND);
  const rows = await sql`select count(*)::int as all, count(distinct row)::int as rows from import_rows
    where import_id = ${long}`;
  expect(rows[0]).toEqual({ all: 1_100, rows: 1_100 });
});

test("in all of its turns, an import creates 50 app profiles for campaign names at most", async () => {
  const [ada, eve] = [await newTenant(), await newTenant()];
  // Each turn has 40 campaigns of its own.
  const campaignOf = (row: number) => (row % 1_000 < 40 ? `campaign-${row}` : "");
  const lines = Array.from(
    { length: 1_040 },
    (_, row) => `https://old.acme.com/app${row},https://acme.com/${row},com.acme.ios,${campaignOf(row)}\n`,
  );
  const text = `Short link,Link,ibi,iTunes ct\n${lines.join("")}`;
  const long = await uploadedText(ada, text, { source: "firebase" });
  const short = await uploaded(eve, "apart", 3);
  await jobs.runNext(never);
  expect(await stateOf(ada, long)).toEqual(["queued", 1_000]);
  while (await jobs.runNext(never));
  expect([await stateOf(ada, long), await stateOf(eve, short)]).toEqual([
    ["done", 1_040],
    ["done", 3],
  ]);
  const [made] = await sql`
    select count(*)::int as profiles from app_profiles where org_id = ${ada.orgId} and ios ->> 'campaignName' is not null`;
  expect(made?.profiles).toBe(50);
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

test("an import goes on although the clock of Postgres was a year ahead when its process died", async () => {
  const ada = await newTenant();
  const [first, next] = [await uploaded(ada, "ahead", 3), await uploaded(ada, "behind", 3)];
  await sql`update imports set status = 'running', leased_by = ${crypto.randomUUID()},
    leased_until = now() + interval '1 year' where id = ${first}`;
  while (await jobs.runNext(never));
  expect([await stateOf(ada, first), await stateOf(ada, next)]).toEqual([
    ["done", 3],
    ["done", 3],
  ]);
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
