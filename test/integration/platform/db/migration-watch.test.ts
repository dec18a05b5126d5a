/** What counts as progress of a migration. */
import { expect, test } from "bun:test";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { until } from "@test/support/until";
import postgres, { type Sql } from "postgres";
import { lookAt } from "@/platform/db/connection/migration-watch";

const isAtWork = async (sql: Sql, pid: number) => (await lookAt(sql, pid)).isAtWork;

test("a session that waits for a lock makes no progress, nor does one that has ended; any other one does", async () => {
  const { url, sql, drop } = await createDatabase();
  const session = postgres(url, { max: 1 });
  const [{ pid } = { pid: 0 }] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const { altered } = await whileLocked(sql, "lock table links", async () => {
    const altered = session`alter table links add column later text`.execute();
    await waitUntilBlocked(sql, 1);
    expect(await isAtWork(sql, pid)).toBe(false);
    return { altered };
  });
  await altered;
  const working = session`select pg_sleep(600)`.then(
    () => "finished",
    () => "ended",
  );
  const isWorking = () => sql`select from pg_stat_activity where pid = ${pid} and state = 'active'`;
  await until(async () => (await isWorking()).length > 0);
  expect(await isAtWork(sql, pid)).toBe(true);
  await sql`select pg_terminate_backend(${pid})`;
  expect(await working).toBe("ended");
  await until(async () => !(await isAtWork(sql, pid)));
  await session.end({ timeout: 1 });
  await drop();
});
