/**
 * Turns: one organization's long archive does not keep those of others waiting. Attempts: a part that cannot be written
 * does not occupy the servers forever. No service runs here.
 */
import { afterAll, expect, test } from "bun:test";
import { contentOf } from "@test/support/accounts/archives";
import { makeAccount } from "@test/support/accounts/made-account";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { createDatabase } from "@test/support/servers/postgres";
import { readConfig } from "@/config";
import type { OrgId } from "@/core/ids";
import { readPart } from "@/modules/exports/store";
import { type ArchiveReader, createArchiveReader, createExportWork } from "@/modules/exports/work";
import { systemClock } from "@/platform/clock";
import { ensureSharedDomain } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const { db, sql, url, drop } = await createDatabase();
afterAll(drop);
const config = readConfig({ DATABASE_URL: url, DATA_DIR: await makeFolderOfFile(), SHORT_DOMAIN: "wm.example" });
const shared = await ensureSharedDomain(db, config.shortDomain);
const never = new AbortController().signal;
const reader = createArchiveReader({ sql, alsoOf: () => [] });
let newcomers = 0;

/** Creates an organization with that many links, and requests its archive. */
async function requested(links: number): Promise<string> {
  const name = `Acme ${++newcomers}`;
  const newcomer = { name: "Ada", email: `user${newcomers}@example.com`, organizationName: name };
  const { session } = await makeAccount({ db, config, clock: systemClock }, newcomer);
  const orgId = session.organizations[0]?._id as OrgId;
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), ${orgId}, ${shared}, ${name} || n, ${name} || n, 'https://example.com/'
    from generate_series(1, ${links}) as n`;
  const id = Bun.randomUUIDv7();
  await sql`insert into organization_exports (id, org_id, created_at) values (${id}, ${orgId}, clock_timestamp())`;
  return id;
}

const stateOf = async (id: string) =>
  (await sql`select status, parts, leased_by as "leasedBy" from organization_exports where id = ${id}`)[0];

const writing = (archives: ArchiveReader, more: { renewEveryMs?: number } = {}) =>
  createExportWork({ ...{ db, clock: systemClock, log: createLog(() => {}), sliceMs: 0 }, archives, ...more });

const expireLease = (id: string) =>
  sql`update organization_exports set leased_until = now() - interval '1 second' where id = ${id}`;

async function downloaded(id: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let number = 1; ; number++) {
    const part = await readPart(db, id, number);
    if (!part) return Buffer.concat(parts);
    parts.push(part);
  }
}

test("a part that takes longer than the lease keeps it, so that no other server begins it again", async () => {
  const id = await requested(0);
  const isLeased = async () =>
    (await sql`select leased_until > now() as "isLeased" from organization_exports where id = ${id}`)[0]?.isLeased;
  const readPart: ArchiveReader["readPart"] = async (...wanted) => {
    await expireLease(id);
    while (!(await isLeased())) await Bun.sleep(5);
    expect(await writing(reader).workOff(never)).toBe(false);
    return reader.readPart(...wanted);
  };
  const writer = writing({ readPart }, { renewEveryMs: 10 });
  while ((await stateOf(id))?.status !== "done") expect(await writer.workOff(never)).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: "done" });
});

test("archives are written in turns, the one that has waited longest first", async () => {
  const ids = [await requested(1_000), await requested(0), await requested(1_000)];
  const exports = writing(reader);
  const states = () => Promise.all(ids.map(stateOf));
  for (const _ of ids) await exports.workOff(never);
  expect(await states()).toEqual(ids.map(() => ({ status: "running", parts: 1, leasedBy: null })));
  while ((await stateOf(ids[1] ?? ""))?.status === "running") await exports.workOff(never);
  expect((await states()).map((state) => state?.status)).toEqual(["running", "done", "running"]);
  while (await exports.workOff(never));
  expect((await states()).map((state) => state?.status)).toEqual(["done", "done", "done"]);
  const lines = async (id: string) => (await contentOf(await downloaded(id))).get("tables/links")?.length;
  expect(await Promise.all(ids.map(lines))).toEqual([1_000, undefined, 1_000]);
});

/** Begins a part of the archive as a process does that dies of it. Resolves to true if it was given up instead. */
async function isGivenUpBeforeDeath(): Promise<boolean> {
  const begun = Promise.withResolvers<false>();
  const readPart = () => {
    begun.resolve(false);
    return new Promise<never>(() => {});
  };
  return Promise.race([writing({ readPart }).workOff(never), begun.promise]);
}

test("an archive is written although the clock of Postgres was a year ahead when its writer died", async () => {
  const id = await requested(0);
  await sql`update organization_exports set status = 'running', leased_by = ${crypto.randomUUID()},
    leased_until = now() + interval '1 year' where id = ${id}`;
  while (await writing(reader).workOff(never));
  expect((await stateOf(id))?.status).toBe("done");
});

test("an archive that kills whoever writes it is given up", async () => {
  const id = await requested(0);
  let deaths = 0;
  for (; deaths < 20 && !(await isGivenUpBeforeDeath()); deaths++) await expireLease(id);
  expect(deaths).toBe(5);
  expect(await stateOf(id)).toEqual({ status: "failed", parts: 0, leasedBy: null });
});

test("an archive whose parts fail now and then is written all the same", async () => {
  const id = await requested(0);
  let asked = 0;
  const exports = writing({
    readPart: async (...wanted) => {
      if (asked++ % 2 === 0) throw new Error("The database is restarting");
      return reader.readPart(...wanted);
    },
  });
  while (await exports.workOff(never)) await expireLease(id);
  expect(asked).toBeGreaterThan(20);
  expect((await stateOf(id))?.status).toBe("done");
});
