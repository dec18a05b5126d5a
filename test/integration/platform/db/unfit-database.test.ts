/** A start on a database in which Waymark's tables cannot be created, or not where they belong. */
import { afterAll, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import postgres from "postgres";
import { openDatabase } from "@/platform/db/client";
import { prepareDatabase } from "@/platform/db/prepare";
import { createLog } from "@/platform/telemetry/log";

const parent = await createDatabase();
const made: string[] = [];
afterAll(async () => {
  for (const name of made) {
    await parent.sql`drop database ${parent.sql(name)} with (force)`;
    await parent.sql`drop role ${parent.sql(name)}`;
  }
  await parent.drop();
});

/** Creates a database and a user of the same name. */
async function databaseAndUser(kind = ""): Promise<{ name: string; url: string }> {
  const name = `user_${crypto.randomUUID().slice(0, 8)}`;
  await parent.sql.unsafe(`create role ${name} login password 'secret'`);
  await parent.sql.unsafe(`create database ${name} ${kind}`);
  made.push(name);
  const url = new URL(parent.url);
  [url.username, url.password, url.pathname] = [name, "secret", `/${name}`];
  return { name, url: url.href };
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement);
  await sql.end();
}

const prepare = (url: string) =>
  prepareDatabase(
    { databaseUrl: url, directUrl: url },
    createLog(() => undefined),
  );

test("with all rights to the database, but none to its schema, one sentence says what is missing", async () => {
  const { name, url } = await databaseAndUser();
  await parent.sql.unsafe(`grant all on database ${name} to ${name}`);
  await expect(prepare(url)).rejects.toThrow(
    /^DATABASE_URL: this user cannot update the schema, because it does not own the database and its tables: permission denied for schema public$/,
  );
  await parent.sql.unsafe(`alter database ${name} owner to ${name}`);
  await prepare(url);
});

test.each([
  ["with a schema of its name", (name: string) => [`create schema ${name}`]],
  ["with another search path", (name: string) => ["create schema app", `alter role ${name} set search_path = app`]],
])("a user %s is told to use public, and how", async (_what, statements) => {
  const { name, url } = await databaseAndUser();
  await parent.sql.unsafe(`alter database ${name} owner to ${name}`);
  for (const statement of statements(name)) await run(url, statement);
  const refused = await prepare(url).catch((error: Error) => error.message);
  expect(refused).toMatch(
    /^DATABASE_URL: Waymark needs the schema public, but sessions of this user create tables in \w+; run: /,
  );
  await run(url, String(refused).split("run: ")[1] ?? "");
  await prepare(url);
  await using database = openDatabase(url, { pool: "tool", name: "waymark test" });
  const tables = await database.sql`select from pg_tables where tablename = 'links' and schemaname = 'public'`;
  expect(tables).toHaveLength(1);
});

test("a search path is no hindrance where only the indexes of the search are missing", async () => {
  const { name, url } = await databaseAndUser();
  await parent.sql.unsafe(`alter database ${name} owner to ${name}`);
  await prepare(url);
  for (const statement of ["drop index links_searched", `create schema ${name}`]) await run(url, statement);
  await prepare(url);
  await run(url, "select 'links_searched'::regclass");
});

test.each(["LATIN1", "SQL_ASCII"])("a database with the encoding %s is refused", async (encoding) => {
  const { name, url } = await databaseAndUser(`encoding '${encoding}' template template0 locale 'C'`);
  await parent.sql.unsafe(`alter database ${name} owner to ${name}`);
  await expect(prepare(url)).rejects.toThrow(
    `DATABASE_URL: Waymark needs a database with the encoding UTF8, but that of this one is ${encoding}; make another`,
  );
});

test("a Postgres that is too old is refused, with the version that it needs", async () => {
  const { name, url } = await databaseAndUser();
  await parent.sql.unsafe(`alter database ${name} owner to ${name}`);
  // It states its version by a setting that cannot be changed, so a function of the same name stands in.
  await run(
    url,
    `create function public.current_setting(name text) returns text language sql as $$
      select case name when 'server_version_num' then '140019' when 'server_version' then '14.19'
        else pg_catalog.current_setting(name) end $$`,
  );
  await run(url, `alter role ${name} set search_path = public, pg_catalog`);
  await expect(prepare(url)).rejects.toThrow(/^DATABASE_URL: Waymark needs Postgres 15 or later, but this is 14\.19$/);
  await run(url, `alter role ${name} set search_path = public`);
  await prepare(url);
});
