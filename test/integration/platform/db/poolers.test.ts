/** Whatever is acknowledged through PgBouncer is stored in Postgres. */
import { afterAll, expect, test } from "bun:test";
import { startPgBouncer } from "@test/support/servers/pgbouncer";
import { createDatabase } from "@test/support/servers/postgres";
import { openDatabase } from "@/platform/db/client";

const TRANSACTIONS = 60;

const direct = await createDatabase();
const pooler = await startPgBouncer({ url: direct.url, mode: "transaction" });
afterAll(() => pooler.stop());
await direct.sql`create table kept (number int)`;

test("a transaction reported as committed is durable, whatever the pooler does with prepared statements", async () => {
  const database = openDatabase(pooler.url, { pool: "requests" });
  const outcomes = await Promise.allSettled(
    Array.from({ length: TRANSACTIONS }, (_, number) =>
      database.sql.begin(async (tx) => {
        await tx.unsafe("insert into kept values ($1)", [number]);
        return number;
      }),
    ),
  );
  await database.close();
  const answered = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const rows = await direct.sql<{ number: number }[]>`select number from kept order by number`;
  expect(rows.map(({ number }) => number)).toEqual(answered);
  expect(answered.length).toBe(TRANSACTIONS);
});

test("the commit of a transaction that failed unnoticed rejects", async () => {
  const outcome = direct.sql.begin(async (tx) => {
    // Not awaited, so the commit is sent before the error arrives.
    tx.unsafe("select 1 / 0").catch(() => undefined);
  });
  expect(await outcome.catch(String)).toContain("COMMIT_REFUSED");
});
