/**
 * The patch of the driver (`.patches`): a connection that ends breaks only what it was doing, and the one that takes its
 * place begins anew. A query goes to the connection that was used last.
 */
import { afterAll, expect, test } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { until } from "@test/support/until";
import postgres from "postgres";

const database = await createDatabase();
afterAll(() => database.drop());

test("a transaction whose connection is closed rejects, and the pool keeps working", async () => {
  const closed = Promise.withResolvers<void>();
  const sql = postgres(database.url, { max: 1, onnotice() {}, onclose: () => closed.resolve() });
  const transaction = sql.begin(async (tx) => {
    const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await database.sql`select pg_terminate_backend(${backend?.pid ?? 0})`;
    await closed.promise;
    await tx`select 1`;
  });
  const outcome = await transaction.then(
    () => "went through",
    () => "rejected",
  );
  expect(outcome).toBe("rejected");
  expect((await sql<{ one: number }[]>`select 1 as one`)[0]?.one).toBe(1);
  await sql.end({ timeout: 1 });
});

/** Returns how the query ends: its rows, or the code of its error. */
const outcomeOf = (query: Promise<readonly unknown[]>): Promise<unknown[] | string> =>
  query.then(
    (rows) => [...rows],
    (error: { code: string }) => error.code,
  );

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

test("after a backend was terminated in the middle of its rows, the next query gets its own rows alone", async () => {
  await using sql = pooled(database.url);
  const [backend] = await sql.client<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = backend?.pid ?? 0;
  const interrupted = outcomeOf(
    sql.client`select n, case when n = 2000 then pg_sleep(600)::text end from generate_series(1, 3000) as n`,
  );
  await until(
    async () =>
      (await database.sql`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`).length > 0,
  );
  await database.sql`select pg_terminate_backend(${pid})`;
  expect(await interrupted).toBe("CONNECTION_CLOSED");
  for (let times = 0; times < 3; times++) expect(await outcomeOf(sql.client`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("a connection that ends while a query is about to be sent is replaced by one that works", async () => {
  // The query is made in the same turn of the event loop in which the connection's end arrives, just before it.
  const bells: Socket[] = [];
  const tower = createServer((socket) => void bells.push(socket));
  const ear = connect(await portOf(tower), "127.0.0.1");
  await until(() => bells.length > 0);
  const proxy = await TcpProxy.start(Number(new URL(database.url).port));
  await using sql = pooled(proxy.urlThrough(database.url));
  await sql.client`select 1`;
  const { promise: asked, resolve } = Promise.withResolvers<unknown[] | string>();
  ear.once("data", () => resolve(outcomeOf(sql.client`select 1`)));
  bells[0]?.write("now");
  await proxy.cut();
  // On a busy machine the end may arrive first, so that the query finds no server.
  expect(await asked).toBeOneOf(["CONNECTION_CLOSED", "ECONNREFUSED"]);
  await proxy.open();
  for (let times = 0; times < 3; times++) expect(await outcomeOf(sql.client`select 1 as one`)).toEqual([{ one: 1 }]);
  ear.destroy();
  tower.close();
  await proxy.cut();
});

test("queries made between a connection's error and its end are rejected, and the next ones work", async () => {
  const theirs: Socket[] = [];
  const network = createServer((client) => {
    theirs.push(client);
    const server = connect(Number(new URL(database.url).port), "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => from.destroy());
      from.on("close", () => to.destroy());
    }
  });
  const through = new URL(database.url);
  through.port = String(await portOf(network));
  await using sql = pooled(through.href);
  await sql.client`select 1`;
  const interrupted = outcomeOf(sql.client`select pg_sleep(600)`);
  const again = interrupted.then(() => outcomeOf(sql.client`select 1`));
  await until(
    async () =>
      (
        await database.sql`
    select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
      ).length > 0,
  );
  for (const socket of theirs) socket.resetAndDestroy();
  expect(await Promise.all([interrupted, again])).toEqual(["ECONNRESET", expect.anything()]);
  for (let times = 0; times < 3; times++) expect(await outcomeOf(sql.client`select 1 as one`)).toEqual([{ one: 1 }]);
  network.close();
});

test("a server that closes connections as soon as they are open rejects queries, and is not asked without a pause", async () => {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    socket.on("error", () => socket.destroy());
    socket.end();
  });
  await using sql = pooled(`postgres://user@127.0.0.1:${await portOf(server)}/none`);
  expect(await Promise.all([1, 2, 3].map((n) => outcomeOf(sql.client`select ${n}::int`)))).toEqual(
    Array(3).fill("CONNECTION_CLOSED"),
  );
  expect(accepted).toBe(3);
  server.close();
});

test("queries that follow each other share one connection, which has prepared them, while the others stay idle", async () => {
  await using sql = pooled(database.url, 3);
  const ask = async () => (await sql.client<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  expect(new Set(await Promise.all([ask(), ask(), ask()])).size).toBe(3);
  const asked = new Set<number | undefined>();
  for (let times = 0; times < 6; times++) asked.add(await ask());
  expect(asked.size).toBe(1);
});

/** Opens a pool that waits 10 s for a connection. */
function pooled(url: string, max = 1) {
  const client = postgres(url, { max, onnotice() {}, connect_timeout: 10, backoff: () => 0.05 });
  return { client, [Symbol.asyncDispose]: () => client.end({ timeout: 0 }) };
}
