/** Import jobs: one per organization at a time, failures of the service, uploads in progress. */
import { expect, test } from "bun:test";
import { addImport, ledgerOf, runImport, upload, waitForImport } from "@test/support/outside/imports";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import { until, untilDone } from "@test/support/until";
import type { ReservedSql } from "postgres";
import type { OrgId } from "@/core/ids";
import { claimJob, hasDueImports } from "@/modules/imports/job/claim";
import { Lease } from "@/modules/imports/job/lease";
import { readFile } from "@/modules/imports/job/read-file";
import { verifyImport } from "@/modules/imports/job/verify";
import { ledgerCsv } from "@/modules/imports/ledger";
import { deleteOldImports, findImport } from "@/modules/imports/store";
import { shortUrls } from "@/platform/link-cache/short-urls";
import { createLinkSource } from "@/platform/link-cache/source";

/** The class of advisory locks that triggers of these tests wait for. */
const LOCKS = 40_918;

const service = await startTestService();
const { sql } = service;
const shared: string = (await sql`select id from domains where org_id is null`)[0]?.id;
const FILE = { name: "links.csv", bytes: 9, hash: "", encoding: "utf-8", form: { kind: "json", source: "csv" } };
const options = { domainMap: { "*": shared } };

/** Creates the trigger; statements that fire it wait until `release`. */
async function held(name: string, trigger: string) {
  const holder: ReservedSql = await sql.reserve();
  await holder`select pg_advisory_lock(${LOCKS}, 1)`;
  await sql.unsafe(`
    create function ${name}() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCKS}, 1); return new; end $$;
    create trigger ${name} ${trigger} execute function ${name}();`);
  return {
    async release() {
      await sql.unsafe(`drop function ${name} cascade`).catch(() => {});
      // The lock belongs to the session: the next caller would wait until the pool closes the idle connection.
      await holder`select pg_advisory_unlock_all()`;
      holder.release();
    },
    unlock: () => holder`select pg_advisory_unlock(${LOCKS}, 1)`,
  };
}

const waiting = () => sql`
  select from pg_locks join pg_database d on d.oid = database
  where datname = current_database() and locktype = 'advisory' and not granted`;

/** Requests that wait for a row, without what the import itself waits for. */
const requestsWaiting = () => sql`
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and application_name not like 'waymark imports%'`;

test("of two simultaneous claims, one gets the organization's job and the other nothing", async () => {
  const account = await service.register();
  const ids = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  // The service takes no job: each is leased until the claims arrive.
  for (const id of ids) {
    await sql`insert into imports (id, org_id, file, options, actor, leased_until)
      values (${id}, ${account.orgId}, ${JSON.stringify(FILE)}, '{}', '{}', now() + interval '1 hour')`;
  }
  const other = await sql`
    select count(*)::int as open from imports where status in ('queued', 'running') and leased_until is null`;
  expect(other[0]?.open).toBe(0);
  const holders = [crypto.randomUUID(), crypto.randomUUID()];
  // A job that its holder left undone may be claimed only by that holder, so the service takes neither.
  for (const [place, id] of ids.entries())
    await sql`update imports set leased_by = ${holders[place] ?? ""} where id = ${id}`;
  const { release, unlock } = await held("hold_claim", "before update on imports for each row");
  const claims = holders.map((holder) => claimJob(service.db, holder));
  await until(async () => (await waiting()).length === claims.length);
  await unlock();
  const claimed = await Promise.all(claims);
  await release();
  expect(claimed.filter(Boolean)).toHaveLength(1);
  const running = await sql`select id from imports where org_id = ${account.orgId} and status = 'running'`;
  expect(running).toHaveLength(1);
  await sql`delete from imports where org_id = ${account.orgId}`;
});

test("a job is not due while its organization has another one running, so that no server starts a process for it", async () => {
  const account = await service.register();
  const [running, next, holder] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), crypto.randomUUID()];
  // Each may be claimed only by its holder, so the service takes neither.
  for (const [id, status, by] of [
    [running, "running", crypto.randomUUID()],
    [next, "queued", holder],
  ] as const)
    await sql`insert into imports (id, org_id, file, options, actor, status, leased_by, leased_until)
      values (${id}, ${account.orgId}, ${JSON.stringify(FILE)}, '{}', '{}', ${status}, ${by}, now() + interval '1 hour')`;
  expect(await hasDueImports(service.db, holder)).toBe(false);
  expect(await claimJob(service.db, holder)).toBeUndefined();
  await sql`update imports set status = 'done', leased_by = null, leased_until = null where id = ${running}`;
  expect(await hasDueImports(service.db, holder)).toBe(true);
  expect(await claimJob(service.db, holder)).toMatchObject({ id: next });
  await sql`delete from imports where org_id = ${account.orgId}`;
});

test("an import whose connection breaks continues, and each record is imported once", async () => {
  const account = await service.register();
  const rows = 1_200;
  const { release, unlock } = await held("hold_row", "before insert on import_rows for each row when (new.row = 1100)");
  const text = `slug,url\n${Array.from({ length: rows }, (_, row) => `t${row},https://acme.com/${row}\n`).join("")}`;
  const { body } = await upload(service, account, { text, options });
  await untilDone(async () => (await waiting()).length > 0);
  const [job] = await sql`select cursor, attempts from imports where id = ${body._id}`;
  expect(job).toMatchObject({ cursor: 1_000 });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'waymark imports%'`;
  await unlock();
  const done = await waitForImport(service, account, body._id);
  await release();
  expect(done).toMatchObject({ status: "done", counts: { records: rows, created: rows } });
  const [counted] = await sql`
    select (select count(*)::int from links where org_id = ${account.orgId}) as links,
      (select count(*)::int from import_rows where import_id = ${body._id}) as rows`;
  expect(counted).toEqual({ links: rows, rows });
});

test("a job that makes no progress is abandoned", async () => {
  const account = await service.register();
  const { release } = await held("fail_row", "before insert on import_rows for each row when (new.row = 0)");
  await sql.unsafe(`create or replace function fail_row() returns trigger language plpgsql as
    $$ begin raise 'a fault of ours'; end $$; drop trigger fail_row on import_rows;
    create trigger fail_row before insert on import_rows for each row execute function fail_row()`);
  const { body } = await upload(service, account, { text: "slug,url\nf1,https://acme.com/\n", options });
  await untilDone(async () => {
    // Skips the pauses between attempts, and most of the attempts.
    await sql`update imports set leased_until = null, attempts = greatest(attempts, 8)
      where id = ${body._id} and status = 'queued'`;
    return (await sql`select from imports where id = ${body._id} and status = 'failed'`).length > 0;
  });
  await release();
  const failed = await waitForImport(service, account, body._id);
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("because of an error on our side") });
  expect(await ledgerOf(service, account, body._id)).toEqual([]);
  const again = await runImport(service, account, { text: "slug,url\nf1,https://acme.com/\n", options });
  expect(again.counts).toMatchObject({ created: 1 });
});

test("after a cancelled rollback, the rest can be verified, and a repeated one counts what both removed", async () => {
  const account = await service.register();
  const rows = 600;
  const text = `slug,url\n${Array.from({ length: rows }, (_, row) => `rb${row},https://acme.com/${row}\n`).join("")}`;
  const { _id } = await runImport(service, account, { text, options });
  const post = (act: string) =>
    service.call("POST", `/api/v1/organizations/${account.orgId}/imports/${_id}/${act}`, { token: account.token });
  const [kept] = await ledgerOf(service, account, _id);
  await service.call("PATCH", `/api/v1/organizations/${account.orgId}/links/${kept?.linkId}`, {
    token: account.token,
    body: { title: "Ours now" },
  });
  const { release } = await held("hold_back", "before update on import_rows for each row when (new.row = 550)");
  await post("rollback");
  await untilDone(async () => (await waiting()).length > 0);
  const cancelled = post("cancel");
  await until(async () => (await requestsWaiting()).length > 0);
  // The job's second part is lost with its connection, and the cancellation that waits for that part runs next.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'waymark imports%' and wait_event_type = 'Lock' and datname = current_database()`;
  expect((await cancelled).body).toMatchObject({ status: "cancelled", counts: { removed: 499, kept: 1 } });
  await release();
  expect((await post("verify")).status).toBe(202);
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({ checked: 101, different: 0 });
  expect((await post("rollback")).status).toBe(202);
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({
    ...{ created: rows, removed: rows - 1, kept: 1 },
  });
});

test("a verification keeps its lease from link to link, since those with many rules take long, and can stop at each", async () => {
  const account = await service.register();
  const text = "slug,url\nkept-1,https://acme.com/1\nkept-2,https://acme.com/2\nkept-3,https://acme.com/3\n";
  const { _id } = await runImport(service, account, { text, options });
  const holder = crypto.randomUUID();
  await sql`update imports set status = 'running', task = 'verify', cursor = 0, leased_by = ${holder},
    leased_until = now() + interval '1 hour' where id = ${_id}`;
  const job = await findImport(service.db, account.orgId as OrgId, _id);
  if (!job) throw new Error("The import is gone");
  const parts = { db: service.db, clock: Date.now, linkSource: createLinkSource(service.db, shortUrls(service.url)) };
  const verified = async (linksMax: number) => {
    const lease = new Lease(job, holder);
    let links = 0;
    const reading = { goOn: async () => ++links <= linksMax };
    const batches = readFile(service.db, job, 1_000, { goOn: async () => true });
    const how = { batches, budget: null, turn: { isOver: async () => false }, reading };
    await verifyImport(parts, job, lease, how, new AbortController().signal);
    return [links, lease.cursor];
  };
  expect(await verified(2)).toEqual([3, 0]);
  expect(await verified(3)).toEqual([3, 3]);
});

test("a link that someone is changing while a rollback begins is kept", async () => {
  const account = await service.register();
  const { token } = account;
  const path = `/api/v1/organizations/${account.orgId}`;
  const { _id } = await runImport(service, account, { text: "slug,url\nchanging,https://acme.com/c\n", options });
  const [row] = await ledgerOf(service, account, _id);
  const { changed } = await whileLocked(sql, `select from links where id = '${row?.linkId}' for update`, async () => {
    const change = service.call("PATCH", `${path}/links/${row?.linkId}`, { token, body: { title: "Ours now" } });
    await waitUntilBlocked(sql, 1);
    await service.call("POST", `${path}/imports/${_id}/rollback`, { token });
    await waitUntilBlocked(sql, 2);
    return { changed: change };
  });
  expect((await changed).status).toBe(200);
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({ removed: 0, kept: 1 });
  expect(await ledgerOf(service, account, _id)).toMatchObject([{ result: "kept", why: "it has been changed since" }]);
});

test("a CSV whose records the upload cannot count fails after a million records", async () => {
  const { orgId } = await service.register();
  const id = Bun.randomUUIDv7();
  const content = Buffer.from(`slug,url\n${"a,\n".repeat(1_000_001)}`, "utf16le");
  const form = { kind: "csv", source: "csv", delimiter: ",", linesBefore: 1, header: ["slug", "url"] };
  const file = { ...FILE, bytes: content.length, encoding: "utf-16le", form };
  // Done, so that the service does not take it.
  await sql`insert into imports (id, org_id, file, options, actor, status)
    values (${id}, ${orgId}, ${JSON.stringify(file)}, '{}', '{}', 'done')`;
  await sql`insert into import_chunks (org_id, import_id, number, content) values (${orgId}, ${id}, 0, ${content})`;
  const job = await findImport(service.db, orgId as OrgId, id);
  let read = 0;
  const reading = async () => {
    const goOn = async () => true;
    for await (const { records } of job ? readFile(service.db, job, 1_000, { goOn }) : []) read += records.length;
  };
  expect(await reading().catch(String)).toContain("The file has more than 1,000,000 records; split it");
  expect(read).toBe(1_000_000);
});

test("a ledger whose import is deleted while it is downloaded breaks off, since what came would pass for all of it", async () => {
  const { orgId, token } = await service.register();
  const path = (id: string) => `/api/v1/organizations/${orgId}/imports/${id}/ledger.csv`;
  const [id, emptied] = [await addImport(service, orgId), await addImport(service, orgId)];
  await sql`insert into import_rows (org_id, import_id, row, part, address, result)
    select ${orgId}, ${id}, n, 0, '/' || n, 'created' from generate_series(1, 2500) as n`;
  const { body } = await service.call<string>("GET", path(id), { token });
  expect(String(body).trim().split("\r\n")).toHaveLength(2_501);
  const { chunks } = ledgerCsv(service.db, orgId as OrgId, id);
  const reading = chunks[Symbol.asyncIterator]();
  expect((await reading.next()).value).toHaveLength(2_000);
  await service.db.transaction((tx) => deleteOldImports(tx, orgId as OrgId, 0));
  expect(await reading.next().catch(String)).toContain("There is no such import");
  const late = ledgerCsv(service.db, orgId as OrgId, emptied).chunks[Symbol.asyncIterator]();
  expect(await late.next().catch(String)).toContain("There is no such import");
});

test("uploads in progress count towards an organization's limit of imports", async () => {
  const account = await service.register();
  const path = `/api/v1/organizations/${account.orgId}/imports`;
  const closing = new AbortController();
  const open = Array.from({ length: 5 }, () =>
    fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.token}`, "content-type": "multipart/form-data; boundary=x" },
      body: new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("--x\r\n")) }),
      signal: closing.signal,
    }).catch(() => undefined),
  );
  const uploads = () => sql`select from import_chunks where org_id = ${account.orgId}`;
  await until(async () => (await uploads()).length === open.length);
  const refused = await upload(service, account, { text: "slug,url\nu1,https://acme.com/\n", options });
  expect(refused.status).toBe(409);
  closing.abort();
  await Promise.all(open);
  await until(async () => (await uploads()).length === 0);
  const done = await runImport(service, account, { text: "slug,url\nu1,https://acme.com/\n", options });
  expect(done.counts).toMatchObject({ created: 1 });
});

test("an app profile created by an import is reused by the next one, even among many", async () => {
  const account = await service.register();
  const fileOf = (path: string) =>
    `Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi)\nhttps://go.acme.com/${path},https://acme.com/,com.acme.app,com.acme.ios\n`;
  const firebase = { source: "firebase", domainMap: { "go.acme.com": shared } } as const;
  await runImport(service, account, { text: fileOf("m1"), options: firebase });
  await sql`insert into app_profiles (id, org_id, name)
    select gen_random_uuid(), ${account.orgId}, 'Other ' || number from generate_series(1, 100) number`;
  await sql`update app_profiles set id = '00000000-0000-7000-8000-000000000001' where org_id = ${account.orgId} and name like '%(imported)'`;
  const again = await runImport(service, account, { text: fileOf("m2"), options: firebase });
  expect(again.counts).toMatchObject({ created: 1 });
  const [counted] = await sql`
    select count(*)::int as apps from app_profiles where org_id = ${account.orgId} and name like '%(imported)'`;
  expect(counted).toEqual({ apps: 1 });
});

test("an import creates at most 4,000 links a second, to leave CPU time for visits", async () => {
  const account = await service.register();
  const lines = Array.from({ length: 7_000 }, (_, index) => `https://example.com/${index},paced-${index}`);
  const done = await runImport(service, account, { text: `url,slug\n${lines.join("\n")}\n`, options });
  expect(done).toMatchObject({ status: "done", counts: { created: 7_000 } });
  const [made] = await sql`
    select extract(epoch from max(created_at) - min(created_at))::float8 as seconds from links where org_id = ${account.orgId}`;
  // At least the last five of seven batches begin a quarter of a second after the previous one.
  expect(made?.seconds).toBeGreaterThan(1.24);
});

test("a fault late in a file ends the import after everything before it is stored", async () => {
  const account = await service.register();
  const lines = Array.from({ length: 3_000 }, (_, index) => `before${index},https://acme.com/${index}\n`);
  const text = `slug,url\n${lines.join("")}after,"https://acme.com`;
  const done = await runImport(service, account, { text, options });
  expect(done).toMatchObject({ status: "failed", counts: { records: 3_000, created: 3_000 } });
  expect(done.error).toMatch(/quote/);
  const [stored] = await sql`select count(*)::int as links from links where org_id = ${account.orgId}`;
  expect(stored?.links).toBe(3_000);
});

test("a dry run reports a record that repeats one from an earlier batch as the import does", async () => {
  const account = await service.register();
  const row = (slug: string) => `${slug},https://acme.com/1\n`;
  const text = `slug,url\n${Array.from({ length: 1_000 }, (_, index) => row(`twice${index}`)).join("")}${row("twice0")}`;
  const suffixing = { ...options, source: "csv" as const, onConflict: "suffix" as const };
  const dry = await runImport(service, account, { text, options: { ...suffixing, dryRun: true } });
  const done = await runImport(service, account, { text, options: suffixing });
  expect(done.counts).toEqual({ records: 1_001, created: 1_000, unchanged: 1 });
  expect(dry.counts).toEqual(done.counts);
});

test("a resumed dry run remembers the addresses and external ids of earlier records", async () => {
  const account = await service.register();
  const text = `slug,url,externalId
resumed-a,https://acme.com/1,ext-1
resumed-b,https://acme.com/2,ext-2
resumed-c,https://acme.com/3,ext-1
resumed-B,https://acme.com/4,ext-4
resumed-d,https://acme.com/5,ext-5
`;
  const dry = await runImport(service, account, { text, options: { ...options, source: "csv", dryRun: true } });
  const resultsOf = async () => (await ledgerOf(service, account, dry._id)).map(({ row, result }) => [row, result]);
  const whole = await resultsOf();
  expect(whole.map(([, result]) => result)).toEqual(["created", "created", "refused", "collision", "created"]);
  await sql`delete from import_rows where import_id = ${dry._id} and row > 2`;
  await sql`
    update imports set status = 'queued', cursor = 2, counts = '{"records": 2, "created": 2}', finished_at = null
    where id = ${dry._id}`;
  const { counts } = await waitForImport(service, account, dry._id);
  expect(counts).toEqual(dry.counts);
  expect(await resultsOf()).toEqual(whole);
});

test("a resumed dry run remembers which links would have refused what the file says", async () => {
  const account = await service.register();
  const ended = { slug: "refusing", defaultUrl: "https://acme.com/", expiresAt: "2020-01-01T00:00:00Z" };
  await service.createLink(account, ended);
  const text = `slug,url,startsAt,externalId
refusing,https://acme.com/1,2021-01-01,ext-r
resumed-r,https://acme.com/2,,ext-r
`;
  const foreseeing = { ...options, source: "csv" as const, onConflict: "replace" as const, dryRun: true };
  const dry = await runImport(service, account, { text, options: foreseeing });
  const resultsOf = async () => (await ledgerOf(service, account, dry._id)).map(({ result }) => result);
  expect(await resultsOf()).toEqual(["refused", "created"]);
  await sql`delete from import_rows where import_id = ${dry._id} and row > 1`;
  await sql`
    update imports set status = 'queued', cursor = 1, counts = '{"records": 1, "refused": 1}', finished_at = null
    where id = ${dry._id}`;
  expect((await waitForImport(service, account, dry._id)).counts).toEqual(dry.counts);
  expect(await resultsOf()).toEqual(["refused", "created"]);
});

test("an import that is resumed does not replace links that it created or replaced before", async () => {
  const account = await service.register();
  await service.createLink(account, { slug: "again-b", defaultUrl: "https://acme.com/before" });
  const text = `shortUrl,url
one.test/again-a,https://acme.com/1
one.test/again-b,https://acme.com/2
two.test/again-a,https://acme.com/3
two.test/again-b,https://acme.com/4
`;
  const replacing = { ...options, source: "csv" as const, onConflict: "replace" as const };
  const { _id: id } = await runImport(service, account, { text, options: replacing });
  const resultsOf = async () => (await ledgerOf(service, account, id)).map(({ result }) => result);
  expect(await resultsOf()).toEqual(["created", "replaced", "skipped", "skipped"]);
  await sql`delete from import_rows where import_id = ${id} and row > 2`;
  await sql`
    update imports set status = 'queued', cursor = 2, counts = '{"records": 2, "created": 1, "replaced": 1}',
      finished_at = null where id = ${id}`;
  await waitForImport(service, account, id);
  expect(await resultsOf()).toEqual(["created", "replaced", "skipped", "skipped"]);
});
