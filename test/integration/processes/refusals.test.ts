/** A start that cannot succeed ends with one sentence for the operator, which begins with the setting to check. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedOrganization } from "@test/integration/clicks/fixture";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { SURROUNDINGS } from "@test/support/service-process";

const START_MS_MAX = 240_000;

const TAKEN = "taken.example";

const database = await createDatabase();
const orgId = await seedOrganization(database.sql);
await database.sql`
  insert into domains (id, org_id, hostname, is_verified) values (${Bun.randomUUIDv7()}, ${orgId}, ${TAKEN}, true)`;
/** Without any table. */
const empty = await createDatabase();
await empty.sql.unsafe("drop schema drizzle cascade; drop schema public cascade; create schema public");
const folder = await mkdtemp(join(tmpdir(), "waymark-test-"));
await Bun.write(join(folder, "without-secret/app-secret"), "\n");
await Bun.write(join(folder, "old/postgres/password"), "secret");
await Bun.write(join(folder, "old/postgres/cluster/PG_VERSION"), "9\n");
await Bun.write(join(folder, "without-password/postgres/cluster/PG_VERSION"), "18\n");
afterAll(async () => {
  await database.drop();
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  env?: Record<string, string>;
  command?: string;
}

async function start({ env = {}, command = "src/main.ts" }: Started) {
  const child = Bun.spawn([process.execPath, ...command.split(" ")], {
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...SURROUNDINGS,
      PORT: String(await takePort()),
      DATA_DIR: join(folder, "data"),
      DATABASE_URL: database.url,
      ...env,
    },
  });
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { said, complained: complained.trimEnd(), code };
}

const taken = Bun.serve({ port: 0, fetch: () => new Response() });
afterAll(() => taken.stop(true));

describe("in one sentence:", () => {
  const cases: (Started & { name: string; says: RegExp })[] = [
    {
      name: "a data folder that takes no file",
      env: { DATA_DIR: "/dev/null" },
      says: /^DATA_DIR: \/dev\/null\/spool is not writable \(E\w+\), and clicks are stored there; choose a folder/,
    },
    {
      name: "a file for the secret that is empty",
      env: { DATA_DIR: join(folder, "without-secret") },
      says: /^DATA_DIR: \S+\/without-secret\/app-secret contains no secret: remove the file, or set APP_SECRET$/,
    },
    {
      name: "data of another version of the embedded Postgres",
      env: { DATABASE_URL: "", DATA_DIR: join(folder, "old") },
      says: /^DATA_DIR: \S+\/old\/postgres\/cluster was written by Postgres 9, but this is \d+: migrate it/,
    },
    {
      name: "data of the embedded Postgres without its password",
      env: { DATABASE_URL: "", DATA_DIR: join(folder, "without-password") },
      says: /^DATA_DIR: \S+\/without-password\/postgres\/password is missing, without which the data/,
    },
    {
      name: "an address of another machine",
      env: { HOST: "192.0.2.1" },
      says: /^HOST: 192.0.2.1 is not an address of this/,
    },
    {
      name: "no geography",
      env: { GEO_DATABASE: "/nowhere.mmdb" },
      says: /^GEO_DATABASE: cannot use \/nowhere.mmdb: ENOENT/,
    },
    {
      name: "no blocklist",
      env: { BLOCKLIST_FILE: "/nowhere.txt" },
      says: /^BLOCKLIST_FILE: cannot use \/nowhere.txt: ENOENT/,
    },
    {
      name: "a database that does not exist",
      env: { DATABASE_URL: `${database.url}_not` },
      says: /^DATABASE_URL: Postgres refuses the connection: database "\w+_not" does not exist$/,
    },
    {
      name: "another database for the click writer than for requests",
      env: { DATABASE_URL: empty.url, DATABASE_DIRECT_URL: database.url },
      says: /^DATABASE_DIRECT_URL: must point to the same database as DATABASE_URL, .*: tables made here are missing there$/,
    },
    {
      name: "a shared domain that an organization has",
      env: { SHORT_DOMAIN: TAKEN },
      says: /^SHORT_DOMAIN: an organization has already verified taken.example; delete/,
    },
    {
      name: "a demo on a taken port",
      env: { PORT: String(taken.port) },
      command: "test/support/demo.ts",
      says: /^PORT: \d+ is in use by another process$/,
    },
  ];
  test.each(cases)(
    "$name",
    async ({ says, ...started }) => {
      const { code, complained } = await start(started);
      expect(complained.split("\n")).toEqual([expect.stringMatching(says)]);
      expect(code).toBe(1);
    },
    START_MS_MAX,
  );
});

test.each(["GEO_DATABASE", "BLOCKLIST_FILE"])(
  "a start that ends because of %s has changed nothing in the database",
  async (name) => {
    const { complained } = await start({ env: { DATABASE_URL: empty.url, [name]: "/nowhere" } });
    expect(complained).toStartWith(`${name}: cannot use /nowhere`);
    const [tables] = await empty.sql`select count(*)::int as made from pg_tables where schemaname = 'public'`;
    expect(tables?.made).toBe(0);
  },
  START_MS_MAX,
);

test(
  "a demo leaves the database of the environment alone",
  async () => {
    const made = async () => (await database.sql`select to_regclass('users') is not null as is_there`)[0]?.is_there;
    const people = async () => ((await made()) ? (await database.sql`select 1 from users`).length : 0);
    const before = await people();
    const dataDir = join(folder, "demo");
    const env = { DATA_DIR: dataDir };
    const { code, said } = await start({ command: "test/support/demo.ts --visits=20 --exit", env });
    expect({ code, complaint: said.includes("An organization with 12 links") }).toEqual({ code: 0, complaint: true });
    expect(await people()).toBe(before);
    expect(await readdir(join(dataDir, "demo", "postgres", "cluster"))).not.toContain("postmaster.pid");
  },
  START_MS_MAX,
);
