/**
 * The patch of the driver (`.patches`): a server that closes a transaction's connection breaks only that transaction.
 */
import { afterAll, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
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
