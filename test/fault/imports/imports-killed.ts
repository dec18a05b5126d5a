/**
 * The process that runs imports, killed in the middle of a batch: a trigger stops it at chosen rows of the ledger,
 * when the batch's links and revisions are written and nothing is committed. Its lease is then ended early instead of
 * waiting for it to expire, and another process continues. The rollback of the import is killed once, too.
 *
 *   bun test/fault/imports/imports-killed.ts [kills] [rows]
 */
import { endRun } from "@test/support/end-of-run";
import { killImportProcesses } from "@test/support/outside/import-processes";
import { upload, waitForImport } from "@test/support/outside/imports";
import type { ReservedSql, Sql } from "postgres";
import type { Import } from "@/contract/links/imports";
import { startSite } from "../webhooks/webhook-site";

/**
 * Milliseconds without a new row before the run fails. The lease of a killed process is ended immediately, and
 * servers look for work every few seconds, but an import has only a tenth of a core that tests want.
 */
const STANDSTILL_MS = 150_000;
const LOOK_EVERY_MS = 20;
/** The class of advisory locks that the trigger waits for. */
const LOCKS = 40_917;

export interface ImportKillReport {
  kills: number;
  rows: number;
  status: string;
  /** Rows of the ledger, by their place in the file. */
  distinctRows: number;
  links: number;
  revisions: number;
  /** Links created, as counted by the job. */
  created: number | undefined;
  rollbackStatus: string;
  removed: number | undefined;
  linksLeft: number;
}

export const isDoneOnce = (report: ImportKillReport): boolean =>
  [report.status, report.rollbackStatus].every((status) => status === "done") &&
  [report.distinctRows, report.links, report.revisions, report.created, report.removed].every(
    (count) => count === report.rows,
  ) &&
  report.linksLeft === 0;

const csvOf = (rows: number): string =>
  `slug,url\n${Array.from({ length: rows }, (_, row) => `k${row},https://acme.com/${row}\n`).join("")}`;

interface KillPlan {
  kills: number;
  rows: number;
  /** Writes the file. */
  write?: (rows: number) => string;
}

export async function killImports({ kills, rows, write = csvOf }: KillPlan): Promise<ImportKillReport> {
  await using stack = new AsyncDisposableStack();
  const { sql, api, first } = await startSite(stack);
  const account = await api.register();
  const stops = Array.from({ length: kills }, (_, index) => Math.floor(((index + 0.5) * rows) / kills));
  const held = await sql.reserve();
  stack.defer(() => held.release());
  await holdAt(sql, held, stops);

  const text = write(rows);
  const domains = await sql<{ id: string }[]>`select id from domains where org_id is null`;
  const { body: job } = await upload(api, account, { text, options: { domainMap: { "*": String(domains[0]?.id) } } });
  const scene = { sql, held, server: first.process.pid, id: job._id };
  for (const stop of stops) await killAt(scene, stop);
  const done = await waitForImport(api, account, job._id);
  const made = await counted(sql, job._id);

  const last = stops.slice(-1);
  for (const stop of last) await held`select pg_advisory_lock(${LOCKS}, ${stop})`;
  const path = `/api/v1/organizations/${account.orgId}/imports/${job._id}/rollback`;
  await api.call<Import>("POST", path, { token: account.token });
  for (const stop of last) await killAt(scene, stop);
  const back = await waitForImport(api, account, job._id);
  return {
    ...{ kills: kills + 1, rows, status: done.status, ...made, created: done.counts.created },
    ...{ rollbackStatus: back.status, removed: back.counts.removed, linksLeft: (await counted(sql, job._id)).links },
  };
}

/** Makes a process that writes one of these rows of a ledger wait for the row's lock. */
async function holdAt(sql: Sql, held: ReservedSql, stops: number[]): Promise<void> {
  for (const stop of stops) await held`select pg_advisory_lock(${LOCKS}, ${stop})`;
  await sql.unsafe(`
    create function hold_row() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCKS}, new.row); return new; end $$;
    create trigger hold_rows before insert or update on import_rows for each row
      when (new.row in (${stops.join(", ")})) execute function hold_row();`);
}

interface KillScene {
  sql: Sql;
  held: ReservedSql;
  /** The pid of the server whose descendant runs the import. */
  server: number;
  id: string;
}

async function killAt({ sql, held, server, id }: KillScene, stop: number): Promise<void> {
  const waiting = () =>
    sql`select from pg_locks where locktype = 'advisory' and classid = ${LOCKS} and objid = ${stop} and not granted`;
  let [cursor, movedAt] = [-1, performance.now()];
  while ((await waiting()).length === 0) {
    const [job] = await sql<{ cursor: number }[]>`select cursor from imports where id = ${id}`;
    if (job && job.cursor !== cursor) [cursor, movedAt] = [job.cursor, performance.now()];
    if (performance.now() - movedAt > STANDSTILL_MS) throw new Error(`The import stands still behind record ${cursor}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
  if ((await killImportProcesses(server)) === 0) throw new Error("There is no import process");
  // The backend of the killed process finds its connection closed and rolls the batch back.
  await held`select pg_advisory_unlock(${LOCKS}, ${stop})`;
  await sql`update imports set leased_until = now() - interval '1 second' where id = ${id}`;
}

async function counted(sql: Sql, id: string) {
  const [row] = await sql<{ distinctRows: number; links: number; revisions: number }[]>`
    select (select count(distinct row)::int from import_rows where import_id = ${id}) as "distinctRows",
      (select count(*)::int from links where deleted_at is null) as links,
      (select count(*)::int from link_revisions) as revisions`;
  if (!row) throw new Error("Nothing was counted");
  return row;
}

if (import.meta.main) {
  const [kills = 10, rows = 100_000] = process.argv.slice(2).map(Number);
  const report = await killImports({ kills, rows });
  console.table(report);
  await endRun();
  process.exit(isDoneOnce(report) ? 0 : 1);
}
