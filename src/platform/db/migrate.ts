/**
 * Brings a database's schema up to date. Servers that start at the same time take turns by an advisory lock of the
 * migrating transaction: it ends with the transaction, also behind a pooler, and when the server dies.
 *
 * A server of an earlier version held the same lock for its session. If a pooler kept that session, the lock would
 * remain forever. So a session that holds it outside a transaction and has been idle for a while is terminated.
 *
 * A change of a table waits for every transaction that uses it, and whatever needs the table then waits behind the
 * change. So a change that does not get its lock within seconds takes back everything, lets the others pass, and begins
 * again; the log says who is in the way. After a few minutes of that, the start fails.
 */
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { ownFile } from "../own-files";
import type { Log } from "../telemetry/log";
import { type Database, openDatabase } from "./client";
import { AT_WORK, type LockHolder, type MigrationWatch, watchMigration } from "./connection/migration-watch";
import { isLockTimeout } from "./faults";
import { MIGRATIONS_FOLDER } from "./schema-version";
import { ensureSearchIndex } from "./search-index";
import type { Tx } from "./tx";

/** An arbitrary key that nothing else in this database locks: "waymark" in ASCII. */
const LOCK_KEY = "33602696382607979";
const LOCK_WAIT_MS = 300_000;
const LOCK_TRY_MS = 2_000;
/** An attempt waits for a table somewhat longer than the one before: on a busy server, long queries always run. */
const TABLE_WAIT_MS_MAX = 10_000;
/**
 * The part of the time that an attempt has taken so far for which it waits for the next table: after minutes of work,
 * others wait some seconds more rather than that all of it is done again.
 */
const STAKE_SHARE = 0.1;
/** How long others use a table between two tries to change it. */
const TABLE_PAUSE_MS = 3_000;
/** A migration's connection is never idle this long between two statements. */
const LEFT_IDLE_S = 5;
/**
 * The operator's bounds, meant for requests: a table may take longer to rewrite, and would with every start. Postgres
 * has the second one since version 17.
 */
const UNBOUNDED = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout')`;
/** A server that vanished within its transaction must not keep the others waiting. */
const TRANSACTION_IDLE_MAX = "60s";
/**
 * Without this, Citus refuses functions and keys in a transaction that has changed a distributed table. It has no
 * effect without Citus.
 */
const CITUS_MODE = "citus.multi_shard_modify_mode";

export interface MigrateOptions {
  /**
   * Called every few seconds while the migration makes progress, while that of another server is waited for, and between
   * tries to change a table that is in use.
   */
  onProgress?(): void;
  /**
   * Milliseconds to wait for another server's migration since it last made progress, and for tables that are in use.
   * Tests shorten it.
   */
  lockWaitMs?: number;
}

/** Another server's migration, or a table in use, has been locked for too long. */
export class LockedTooLongError extends Error {
  override name = "LockedTooLongError";
}

/** Runs each migration that has not been applied yet. Throws `LockedTooLongError`. */
export async function migrate(
  url: string,
  log?: Pick<Log, "info" | "warn">,
  { onProgress, lockWaitMs = LOCK_WAIT_MS }: MigrateOptions = {},
): Promise<void> {
  const database = openDatabase(url, { pool: "tool", name: "waymark migrate", isPrepared: false });
  const migrations = readMigrationFiles({ migrationsFolder: ownFile(MIGRATIONS_FOLDER) });
  const company: Company = {
    log,
    watch: (pid) => watchMigration({ url, pid, log, onProgress }),
    onProgress,
    tableWaitMs: lockWaitMs,
  };
  let giveUpAt = performance.now() + lockWaitMs;
  try {
    for (let tries = 1; !(await migrateOnce(database, migrations, company)); tries++) {
      onProgress?.();
      if (tries === 1) log?.info("waiting for another server's migration");
      const { isStuck, ended } = await lookAtHolder(database);
      if (ended.length > 0) log?.warn("terminated idle sessions that held the migration lock", { pids: ended });
      if (!isStuck) giveUpAt = performance.now() + lockWaitMs;
      if (performance.now() > giveUpAt)
        throw new LockedTooLongError(
          `another server's migration has locked the database for ${lockWaitMs / 1000} s without making progress`,
        );
    }
  } finally {
    await database.close();
  }
}

interface Company {
  log?: Pick<Log, "warn">;
  /** Begins to watch the session that migrates. */
  watch(pid: number): MigrationWatch;
  onProgress?(): void;
  /** Milliseconds after which tables that are in use are no longer waited for. */
  tableWaitMs: number;
}

/** Returns false if another server holds the lock. */
async function migrateOnce({ db }: Database, migrations: readonly MigrationMeta[], company: Company): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(UNBOUNDED);
      await tx.execute(`select set_config('lock_timeout', '${LOCK_TRY_MS}', true),
        set_config('idle_in_transaction_session_timeout', '${TRANSACTION_IDLE_MAX}', true),
        set_config('${CITUS_MODE}', 'sequential', true)`);
      await lock(tx);
      const [session] = await tx.execute<{ pid: number }>("select pg_backend_pid() as pid");
      await using watch = company.watch(session?.pid ?? 0);
      await untilUnhindered(watch, company, (waitMs) =>
        tx.transaction(async (attempt) => {
          await runMigrations(attempt, migrations, waitMs);
          await ensureSearchIndex(attempt, company.log);
        }),
      );
    });
    return true;
  } catch (error) {
    if (error instanceof LockedError) return false;
    throw error;
  }
}

/**
 * Repeats an attempt that did not get a table's lock in time. The migration lock is kept, so that no other server takes
 * its turn at the same tables in the pause.
 */
async function untilUnhindered(
  watch: MigrationWatch,
  { log, onProgress, tableWaitMs }: Company,
  attempt: (waitMs: number) => Promise<void>,
): Promise<void> {
  let giveUpAt = Infinity;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(Math.min(tries * LOCK_TRY_MS, TABLE_WAIT_MS_MAX));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const blockers = watch.takeBlockers();
      log?.warn("cannot update the schema while a table is in use; will try again", { blockers, tries, error });
      giveUpAt = Math.min(giveUpAt, performance.now() + tableWaitMs);
      if (performance.now() >= giveUpAt)
        throw new LockedTooLongError(inUseText(blockers, tableWaitMs), { cause: error });
      onProgress?.();
      await Bun.sleep(TABLE_PAUSE_MS);
    }
  }
}

function inUseText(blockers: readonly LockHolder[], tableWaitMs: number): string {
  const named = blockers.map(({ pid, application, state, since }) => {
    const facts = [application, state, since && `since ${since}`].filter(Boolean).join(", ");
    return `process ${pid} of Postgres${facts && ` (${facts})`}`;
  });
  return (
    `could not update the schema in ${tableWaitMs / 1000} s, because a table was in use` +
    `${named.length > 0 ? ` by ${named.join(" and ")}` : ""}; end that transaction, then start again`
  );
}

/** Does what Drizzle's own function does, with the same table; that function would begin a separate transaction. */
async function runMigrations(tx: Tx, migrations: readonly MigrationMeta[], waitMs: number): Promise<void> {
  await waitForLocks(tx, waitMs);
  await tx.execute("create schema if not exists drizzle");
  await tx.execute(`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`);
  const [last] = await tx.execute<{ at: string | null }>(
    "select max(created_at) as at from drizzle.__drizzle_migrations",
  );
  const begunAt = performance.now();
  for (const { hash, folderMillis, sql: statements } of migrations) {
    if (folderMillis <= Number(last?.at ?? 0)) continue;
    const atStakeMs = (performance.now() - begunAt) * STAKE_SHARE;
    if (atStakeMs > waitMs) await waitForLocks(tx, atStakeMs);
    for (const statement of statements) await tx.execute(statement);
    await tx.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`);
  }
}

const waitForLocks = (tx: Tx, ms: number) => tx.execute(`select set_config('lock_timeout', '${Math.round(ms)}', true)`);

class LockedError extends Error {
  override name = "LockedError";
}

async function lock(tx: Tx): Promise<void> {
  try {
    await tx.execute(`select pg_advisory_xact_lock(${LOCK_KEY})`);
  } catch (cause) {
    throw isLockTimeout(cause) ? new LockedError("Another server is migrating", { cause }) : cause;
  }
}

interface Holder {
  pid: number;
  isAtWork: boolean;
  isLeft: boolean;
}

/**
 * Returns whether the session that holds the lock, if there still is one, makes no progress. Ends one that was left
 * behind, but only of our own database user; others are not ours to end.
 */
async function lookAtHolder({ sql }: Database): Promise<{ isStuck: boolean; ended: number[] }> {
  const holders = await sql<Holder[]>`
    select a.pid, ${sql.unsafe(AT_WORK)} as "isAtWork",
      coalesce(a.usename = current_user and a.state = 'idle'
        and a.state_change < clock_timestamp() - make_interval(secs => ${LEFT_IDLE_S}), false) as "isLeft"
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32) | l.objid::bigint = ${LOCK_KEY}::bigint`;
  const left = holders.filter(({ isLeft }) => isLeft).map(({ pid }) => pid);
  const ended = await sql<{ pid: number }[]>`
    select pid from unnest(${left}::int[]) as pid where pg_terminate_backend(pid)`;
  return {
    isStuck: holders.length > 0 && !holders.some(({ isAtWork }) => isAtWork),
    ended: ended.map(({ pid }) => pid),
  };
}
