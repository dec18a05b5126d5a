/**
 * Databases for tests: one Postgres for the whole run (`TEST_DATABASE_URL`, else this process's of `TEST_DATABASE_URLS`, else
 * the embedded one in a temporary folder, which does not wait for the disk), one template made once, and a clone of it for
 * each caller.
 */
import { rm } from "node:fs/promises";
import { ensurePartitions } from "@/clicks/partitions";
import { type Database, openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import { atEndOfRun, onDeathOfRun } from "../end-of-run";
import { ownOf } from "../run-process";
import { makeQuickFolder } from "./quick-folder";

const HURRIED = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  // It would renew statistics whenever a test takes long, and change the plans that tests look at.
  autovacuum: "off",
  // Tests connect thousands of times, and a password that is guarded well takes both sides 5 ms of a core.
  scram_iterations: "1",
};
const TEMPLATE = `${Bun.env.TEST_RUN ?? "waymark_test"}_${process.pid}_${Date.now().toString(36)}`;
/** Ends every Postgres below the folder `$1` and removes the folder; again a moment later, if one was just starting. */
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
  /** Closes and drops a database, by name. A server that is not ours is left without any of them. */
  drops: Map<string, () => Promise<void>>;
}

let server: Promise<Server> | undefined;
let databasesMade = 0;

/** A migrated database of the caller's own. One that is not dropped goes with the server at the end of the run. */
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
  const given = Bun.env.TEST_DATABASE_URL ?? ownOf(Bun.env.TEST_DATABASE_URLS);
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

/** Those that a run's processes have left behind, by how their names begin. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark test" });
  const rows = await sql<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, ${prefix})`;
  for (const { name } of rows) await sql`drop database ${sql(name)} with (force)`;
  await close();
}

/** With this month's partitions: making them is most of what a service's first start asks of Postgres. */
async function makeTemplate(url: string): Promise<void> {
  await migrate(url);
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark test" });
  await ensurePartitions(sql, new Date());
  await close();
}

/** A database as the migrations leave it, without the partitions of the template. */
export async function dropPartitions({ sql }: Pick<TestDatabase, "sql">): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relispartition and relkind = 'r' and relname !~ '_default$'`;
  for (const { name } of rows) await sql`drop table ${sql(name)}`;
}

/** The address of a Postgres that ends with this process. */
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

/** The same password, kept as the settings have it now. */
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
