/**
 * Creates databases for tests. Each process uses one Postgres (`TEST_DATABASE_URL`, else its own of
 * `TEST_DATABASE_URLS`, else an embedded one in a temporary folder that does not wait for the disk), creates a
 * template there once, and clones it for each caller.
 */
import { rm } from "node:fs/promises";
import { ensurePartitions } from "@/clicks/partitions";
import { type Database, openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { itemOfThisProcess } from "../run-process";
import { makeQuickFolder } from "./quick-folder";

const HURRIED = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  // Autovacuum would update statistics during long tests and change the plans that tests examine.
  autovacuum: "off",
  // Tests connect thousands of times, and the default number costs client and server 5 ms of a core each time.
  scram_iterations: "1",
};
const TEMPLATE = `${Bun.env.TEST_RUN ?? "waymark_test"}_${process.pid}_${Date.now().toString(36)}`;
/**
 * Kills every Postgres below the folder `$1` and removes the folder. Repeats the kill in case one was just starting.
 */
export const CLEAN_UP = `
  for signal in QUIT KILL KILL; do
    find "$1" -name postmaster.pid -exec sh -c 'kill -$0 "$(head -n 1 "$1")"' $signal {} ";"
    sleep 0.3
  done
  rm -rf "$1"`;

export interface TestDatabase extends Pick<Database, "sql" | "db"> {
  url: string;
  drop(): Promise<void>;
}

interface Server {
  url: string;
  admin: Database;
  /** Functions that close and drop a database, by its name. They clean up a server that outlives the run. */
  drops: Map<string, () => Promise<void>>;
}

let server: Promise<Server> | undefined;
let databasesMade = 0;

/** Creates a migrated database for the caller. If it is not dropped, it is removed at the end of the run. */
export async function createDatabase(): Promise<TestDatabase> {
  server ??= startServer();
  const { url: serverUrl, admin, drops } = await server;
  const name = `${TEMPLATE}_${++databasesMade}`;
  await admin.sql`create database ${admin.sql(name)} template ${admin.sql(TEMPLATE)} strategy file_copy`;
  const url = urlOf(serverUrl, name);
  const { sql, db, close } = openDatabase(url, { pool: "requests", name: "waymark test" });
  const drop = async () => {
    drops.delete(name);
    await close();
    await admin.sql`drop database if exists ${admin.sql(name)} with (force)`;
  };
  drops.set(name, drop);
  return { url, sql, db, drop };
}

async function startServer(): Promise<Server> {
  const given = Bun.env.TEST_DATABASE_URL ?? itemOfThisProcess(Bun.env.TEST_DATABASE_URLS);
  const url = given || (await startEmbedded());
  const admin = openDatabase(url, { pool: "tool", name: "waymark test" });
  const drops = new Map<string, () => Promise<void>>();
  if (given) {
    atEndOfRun(async () => {
      for (const drop of drops.values()) await drop();
      await admin.sql`drop database if exists ${admin.sql(TEMPLATE)} with (force)`;
      await admin.close();
    });
  }
  await admin.sql`create database ${admin.sql(TEMPLATE)}`;
  await makeTemplate(urlOf(url, TEMPLATE));
  return { url, admin, drops };
}

/** Drops the databases that a run's processes left behind, which are those whose names start with `prefix`. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark test" });
  const rows = await sql<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, ${prefix})`;
  for (const { name } of rows) await sql`drop database ${sql(name)} with (force)`;
  await close();
}

/** Migrates the template and creates this month's partitions, which is most of the work of a service's first start. */
async function makeTemplate(url: string): Promise<void> {
  await migrate(url);
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark test" });
  await ensurePartitions(sql, new Date());
  await close();
}

/** Drops the partitions that come from the template, so that the database is as the migrations leave it. */
export async function dropPartitions({ sql }: Pick<TestDatabase, "sql">): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relispartition and relkind = 'r' and relname !~ '_default$'`;
  for (const { name } of rows) await sql`drop table ${sql(name)}`;
}

/** Starts an embedded Postgres that ends with this process, and returns its URL. */
export async function startEmbedded(): Promise<string> {
  const folder = await makeQuickFolder();
  const watchdog = onDeathOfRun(CLEAN_UP, folder);
  const lines: string[] = [];
  const { url, stop } = await startEmbeddedPostgres(folder, (line) => lines.push(line), { settings: HURRIED });
  await renewPassword(url);
  atEndOfRun(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
    watchdog.dismiss();
  });
  return url;
}

/** Sets the same password again, so that it is stored with the current `scram_iterations`. */
async function renewPassword(url: string): Promise<void> {
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark test" });
  await sql.unsafe(`alter role current_user password '${decodeURIComponent(new URL(url).password)}'`);
  await close();
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
