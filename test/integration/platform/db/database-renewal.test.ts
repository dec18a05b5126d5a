/** Replacing connections while they are in use: every query that was sent ends. */
import { afterAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { createDatabase } from "@test/support/servers/postgres";
import { eventually } from "@test/support/until";
import { openDatabase } from "@/platform/db/client";
import { openClient } from "@/platform/db/connection/connect";
import { POOL_SIZES } from "@/platform/db/pools";

const database = await createDatabase();
afterAll(() => database.drop());

const outcomeOf = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );

test("queries that run or wait while connections are renewed complete, and so do later ones", async () => {
  const pool = openDatabase(database.url, { pool: "requests" });
  const slow = Array.from({ length: 3 * POOL_SIZES.requests }, () => outcomeOf(pool.sql`select pg_sleep(0.1)`));
  await Bun.sleep(30);
  const renewed = pool.renew();
  slow.push(outcomeOf(pool.sql`select 1`));
  expect(new Set(await Promise.all(slow))).toEqual(new Set(["done"]));
  await pool.close();
  // The former connections close on their own a while later.
  await Promise.race([renewed, Bun.sleep(0)]);
});

test.each([
  ["", ""],
  [", also if the address names the application", "?application_name=app"],
])(
  "running, waiting and new queries and transactions reject immediately while Postgres is unavailable%s",
  async (_, query) => {
    const pool = openDatabase(database.url + query, { pool: "requests" });
    const transaction = outcomeOf(
      pool.sql.begin(async (tx) => {
        await tx`select pg_sleep(${600}::int)`;
      }),
    );
    const others = Array.from({ length: 2 * POOL_SIZES.requests }, () => outcomeOf(pool.sql`select pg_sleep(600)`));
    await Bun.sleep(100);
    const left = pool.leave();
    const later = [outcomeOf(pool.sql`select 1`), outcomeOf(pool.sql.begin((tx) => tx`select 1`))];
    expect(new Set(await Promise.all([transaction, ...others, ...later]))).not.toContain("done");
    await left;
    await pool.renew();
    expect(await outcomeOf(pool.sql`select 1`)).toBe("done");
    // A process of Postgres that is told to end does so in its turn.
    const count = async () =>
      (await database.sql`select from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`)
        .length;
    await eventually(count, 0);
    await pool.close();
  },
);

test("dates and JSON are read and written by renewed connections as by the first", async () => {
  const pool = openDatabase(database.url, { pool: "requests" });
  await pool.leave();
  await pool.renew();
  const at = new Date("2026-01-31T12:00:00.000Z");
  const [row] =
    await pool.sql`select ${at}::timestamptz = '2026-01-31T12:00:00Z' as "isSame", ${pool.sql.json([1])} as list`;
  expect(row).toEqual({ isSame: true, list: [1] });
  await pool.close();
});

test("connections discarded while they load types reject what waits for them, and nothing else", async () => {
  const asked = Promise.withResolvers<void>();
  // Accepts every connection and sends nothing after that.
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      socket.write(Buffer.from("R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I", "latin1"));
      socket.once("data", () => asked.resolve());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = openClient(`postgres://user@127.0.0.1:${port}/none`, {
    name: "types",
    connectionsMax: 1,
    connectWaitS: 5,
  });
  const outcome = client.sql`select 1`.then(() => "answered", String);
  await asked.promise;
  await client.discard();
  expect(await outcome).toContain("CONNECTION_DESTROYED");
  server.close();
});
