/**
 * Brings a database's schema up to date. Servers that start at once take turns by an advisory lock, which belongs to the
 * session: give the direct address of Postgres, not that of a pooler which shares connections between transactions.
 */
import { join } from "node:path";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import { openDatabase } from "./client";

const MIGRATIONS_FOLDER = join(import.meta.dir, "../../../drizzle/migrations");
/** Any number that nothing else in this database locks: "waymark" in ASCII. */
const LOCK_KEY = "33602696382607979";
const LOCK_WAIT_MS = 300_000;

/** Runs the migrations not yet applied, each of them once. Throws when a predecessor keeps the lock too long. */
export async function migrate(url: string): Promise<void> {
  const database = openDatabase(url, { pool: "tool", name: "waymark migrate" });
  try {
    await database.sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, false)`;
    await database.sql`select pg_advisory_lock(${LOCK_KEY}::bigint)`;
    await runMigrations(database.db, { migrationsFolder: MIGRATIONS_FOLDER });
  } finally {
    await database.close();
  }
}
