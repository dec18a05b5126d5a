/** A version that changes tables while transactions of others use them. */
import { afterAll, expect, test } from "bun:test";
import { waitUntilBlocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";
import postgres, { type Sql } from "postgres";
import { migrate } from "@/platform/db/migrate";
import { LETTERS_INDEX, SEARCH_INDEX } from "@/platform/db/schema-version";

const TABLE = "listed_links";

/** Undoes a part of the update that needs a lock on the table. */
const undo = (sql: Sql) => sql.unsafe(`drop index ${SEARCH_INDEX}, ${LETTERS_INDEX}`);

/** Uses the table in a transaction that stays open until it is asked to end. */
async function useTable(url: string) {
  const client = postgres(url, { max: 1, connection: { application_name: "a report" } });
  const [used, finished] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const transaction = client.begin(async (tx) => {
    await tx.unsafe(`lock table ${TABLE} in row exclusive mode`);
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    used.resolve(row?.pid ?? 0);
    await finished.promise;
  });
  const end = async () => {
    finished.resolve();
    await transaction;
    await client.end({ timeout: 1 });
  };
  return { pid: await used.promise, end };
}

function noted() {
  const said: [string, Record<string, unknown> | undefined][] = [];
  const first = Promise.withResolvers<void>();
  const note = (message: string, fields?: Record<string, unknown>) => {
    said.push([message, fields]);
    first.resolve();
  };
  return { said, first: first.promise, log: { info: note, warn: note } };
}

test("a server that updates the schema does not keep others from a table for as long as a third one uses it", async () => {
  const former = await startTestService();
  const account = await former.register();
  await undo(former.sql);
  const user = await useTable(former.databaseUrl);
  const starting = startTestService({ env: { DATABASE_URL: former.databaseUrl, BASE_URL: former.url } });
  await waitUntilBlocked(former.sql, 1);
  // Waits behind the update, which waits for the transaction that is still open.
  const link = await former.createLink(account, { defaultUrl: "https://example.com/" });
  expect((await former.visit(link)).status).toBe(302);
  await user.end();
  const next = await starting;
  expect((await next.call("GET", "/health")).status).toBe(200);
});

test("an update says who uses a table that it changes, and goes on once the table is free", async () => {
  const { url, sql, drop } = await createDatabase();
  afterAll(drop);
  await undo(sql);
  const user = await useTable(url);
  const { said, first, log } = noted();
  const migrating = migrate(url, log);
  await Promise.race([first, migrating]);
  expect(said[0]).toEqual([
    "cannot update the schema while a table is in use; will try again",
    {
      blockers: [
        {
          ...{ pid: user.pid, application: "a report", user: "postgres" },
          ...{ state: "idle in transaction", since: expect.any(String) },
        },
      ],
      tries: 1,
      error: expect.any(Error),
    },
  ]);
  await user.end();
  await migrating;
  const [index] = await sql`select to_regclass(${SEARCH_INDEX}) is not null as "isThere"`;
  expect(index?.isThere).toBe(true);
});

test("an update gives up a table that stays in use, and names the session", async () => {
  const { url, sql, drop } = await createDatabase();
  afterAll(drop);
  await undo(sql);
  const user = await useTable(url);
  await expect(migrate(url, undefined, { lockWaitMs: 1 })).rejects.toThrow(
    `a table was in use by process ${user.pid} of Postgres (a report, idle in transaction, since `,
  );
  await user.end();
});
