import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ask } from "@test/support/servers/embedded";
import { startPgBouncer } from "@test/support/servers/pgbouncer";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import postgres from "postgres";
import { migrate } from "@/platform/db/migrate";
import journal from "../../../../drizzle/migrations/meta/_journal.json";

const MODULE = join(import.meta.dir, "../../../../src/platform/db/migrate.ts");

let parent: TestDatabase;
/** Longer than a try to get the lock. */
const HELD_MS = 2_500;

let emptiesMade = 0;

beforeAll(async () => {
  parent = await createDatabase();
});

afterAll(() => parent.drop());

describe("migrations", () => {
  test("run once each, even if they are called repeatedly", async () => {
    const url = await createEmpty();
    await migrate(url);
    await migrate(url);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("run once each if several processes start at the same time", async () => {
    const url = await createEmpty();
    const script = `await (await import(${JSON.stringify(MODULE)})).migrate(${JSON.stringify(url)})`;
    const command = [process.execPath, "-e", script];
    const servers = [1, 2, 3].map(() => Bun.spawn(command, { stderr: "inherit" }));
    expect(await Promise.all(servers.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("wait for a server that is already migrating", async () => {
    const url = await createEmpty();
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("end an idle session that a pooler kept with the lock of a server of an earlier version", async () => {
    const url = await createEmpty();
    const kept = postgres(url, { max: 1, onnotice: () => undefined });
    await kept`select pg_advisory_lock(33602696382607979)`;
    const { said, log } = noted();
    await migrate(url, log);
    expect(said).toEqual([
      "waiting for another server's migration",
      "terminated idle sessions that held the migration lock",
    ]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
    await kept.end({ timeout: 1 });
  }, 240_000);

  test("wait for a server for as long as its migration makes progress, and no longer", async () => {
    const url = await createEmpty();
    const other = postgres(url, { max: 1, onnotice: () => undefined });
    let waited = 0;
    const looked = Promise.withResolvers<void>();
    const onProgress = () => {
      if (++waited === 3) looked.resolve();
    };
    await other`select pg_advisory_lock(33602696382607979)`;
    const working = other`select pg_sleep(600)`.then(
      () => "finished",
      () => "ended",
    );
    const migrating = migrate(url, undefined, { onProgress, lockWaitMs: 1 });
    await Promise.race([looked.promise, migrating]);
    expect(waited).toBe(3);
    await parent.sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`;
    expect(await working).toBe("ended");
    await migrating;
    expect(await migrationsRun(url)).toBe(journal.entries.length);

    const idle = postgres(url, { max: 1, onnotice: () => undefined });
    await idle.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(33602696382607979)`;
      await expect(migrate(url, undefined, { lockWaitMs: 1 })).rejects.toThrow("has locked the database");
    });
    for (const client of [other, idle]) await client.end({ timeout: 1 });
  }, 240_000);

  test("log that they wait for another server only if one is migrating, not if connecting takes long", async () => {
    const url = await createEmpty();
    const line = await TcpProxy.start(Number(new URL(url).port));
    const { said, log } = noted();
    line.hold();
    const migrating = migrate(line.urlThrough(url), log);
    await Bun.sleep(HELD_MS);
    line.release();
    await migrating;
    expect(said).toEqual([]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
    await line.cut();
  });

  test("leave no lock held through a transaction pooler", async () => {
    const url = await createEmpty();
    const pooler = await startPgBouncer({ url, mode: "transaction" });
    for (let server = 1; server <= 3; server++) await migrate(pooler.url);
    const locks = "select count(*)::int from pg_locks where locktype = 'advisory'";
    expect(await ask(url, locks)).toBe(0);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
    await pooler.stop();
  }, 240_000);

  test("take as long as they need, whatever the bounds on statements and transactions", async () => {
    const url = await createEmpty();
    const other = postgres(url, { max: 1, onnotice: () => undefined });
    const migrated = other.begin(async (tx) => {
      const name = new URL(url).pathname.slice(1);
      await tx.unsafe("select pg_advisory_xact_lock(33602696382607979)");
      // Postgres has the second one since version 17.
      const bounds = await tx`select name from pg_settings where name in ('statement_timeout', 'transaction_timeout')`;
      for (const bound of bounds)
        await parent.sql`alter database ${parent.sql(name)} set ${parent.sql(bound.name)} = '1500ms'`;
      const { first, log } = noted();
      const migrating = migrate(url, log);
      await Promise.race([first, migrating]);
      return { migrating };
    });
    await (await migrated).migrating;
    expect(await migrationsRun(url)).toBe(journal.entries.length);
    await other.end({ timeout: 1 });
  });

  test("say which database cannot be reached", async () => {
    await expect(migrate("postgres://127.0.0.1:1/none")).rejects.toThrow("127.0.0.1:1");
  });
});

/** Leaves out what is logged because a migration takes long, as it does on a busy machine. */
function noted() {
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  const note = (message: string) => {
    if (message === "updating the schema") return;
    said.push(message);
    first.resolve();
  };
  return { said, first: first.promise, log: { info: note, warn: note } };
}

async function createEmpty(): Promise<string> {
  const url = new URL(parent.url);
  const name = `${url.pathname.slice(1)}_empty_${++emptiesMade}`;
  await parent.sql`create database ${parent.sql(name)}`;
  url.pathname = `/${name}`;
  return url.href;
}

function migrationsRun(url: string): Promise<unknown> {
  return ask(url, "select count(*)::int from drizzle.__drizzle_migrations");
}
