/** Arrays as parameters and in rows. The driver is told their types; it does not ask Postgres for them. */
import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { createDatabase } from "@test/support/servers/postgres";
import { Glob } from "bun";
import { ARRAY_TYPES } from "@/platform/db/connection/array-types";
import { openClient } from "@/platform/db/connection/connect";

const database = await createDatabase();
afterAll(() => database.drop());

const open = (url = database.url) => openClient(url, { name: "arrays", connectionsMax: 1, connectWaitS: 10 });

test("the list says what Postgres says", async () => {
  const rows = await database.sql<{ oid: number; typarray: number }[]>`
    select oid::int, typarray::int from pg_type where oid = any(${ARRAY_TYPES.map(([oid]) => oid)}::int[]) order by oid`;
  expect(rows.map(({ oid, typarray }) => [oid, typarray])).toEqual(ARRAY_TYPES.map(([...pair]) => pair));
});

test("each array that a table holds, or that a statement names, has its type in the list", async () => {
  const listed = ARRAY_TYPES.map(([, typarray]) => typarray);
  const held = await database.sql<{ name: string }[]>`
    select distinct format_type(atttypid, null) as name from pg_attribute join pg_class on pg_class.oid = attrelid
    join pg_type on pg_type.oid = atttypid
    where relnamespace = 'public'::regnamespace and typcategory = 'A' and typtype = 'b' and relkind in ('r', 'p')`;
  const named = new Set(held.map(({ name }) => name));
  expect(named).toContain("text[]");
  for await (const path of new Glob("src/**/*.ts").scan("."))
    for (const [, name = ""] of (await Bun.file(path).text()).matchAll(/::"?(\w+\[\])/g)) named.add(name);
  const types = [...named];
  const unlisted = await database.sql`
    select name from unnest(${types}::text[]) as name where to_regtype(name)::oid::int <> all(${listed}::int[])`;
  expect([...unlisted]).toEqual([]);
});

test("the first query of a connection takes and returns arrays", async () => {
  const client = open();
  const ids = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const [row] = await client.sql`
    select ${["a", 'b "c"', "d,e"]}::text[] as texts, ${ids}::uuid[] as ids, ${[1, 2]}::int[] as numbers,
      array['x']::name[] as names, null::text[] as nothing, '{{1,2},{3,4}}'::int[] as table`;
  expect(row).toEqual({
    ...{ texts: ["a", 'b "c"', "d,e"], ids, numbers: [1, 2], names: ["x"], nothing: null },
    table: [
      [1, 2],
      [3, 4],
    ],
  });
  await client.discard();
});

test("a connection can be reserved before its first query", async () => {
  const client = open();
  const reserved = await client.sql.reserve();
  expect((await reserved`select ${["a"]}::text[] as texts`)[0]).toEqual({ texts: ["a"] });
  reserved.release();
  expect((await client.sql`select 1 as one`)[0]).toEqual({ one: 1 });
  await client.discard();
});

test("a connection sends its first query as soon as it is open", async () => {
  const asked = Promise.withResolvers<string>();
  // Accepts every connection and sends nothing after that.
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      socket.write(Buffer.from("R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I", "latin1"));
      socket.once("data", (bytes) => asked.resolve(String(bytes)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = open(`postgres://user@127.0.0.1:${port}/none`);
  const outcome = client.sql`select 'mine'`.catch(String);
  expect(await asked.promise).toContain("select 'mine'");
  await client.discard();
  await outcome;
  server.close();
});
