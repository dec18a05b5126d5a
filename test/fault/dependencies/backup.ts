/**
 * Backups taken while clicks arrive, and a service on the Postgres that is restored from them: links serve, people
 * sign in, figures agree with the raw clicks, and no error repeats. If the spool's volume is kept, every acknowledged
 * click of the last hour is there exactly once; without it, no click from before the backup is missing.
 *
 *   bun test/fault/dependencies/backup.ts [load in ms]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { type SystemPostgres, startSystemPostgres } from "@test/support/servers/system-postgres";
import { takePort } from "@test/support/servers/test-port";
import { isUp, ServiceProcess, SURROUNDINGS } from "@test/support/service-process";
import { openDatabase } from "@/platform/db/client";
import { linkWithClickIds } from "../clicks/kill-service";
import { compare } from "../compare";
import { sendVisitors } from "../servers/strict-visitors";

export interface BackupReport {
  backup: "pg_dump" | "pg_basebackup";
  volume: "kept" | "lost";
  /** Acknowledged clicks before the backup began, and in total. */
  before: number;
  acknowledged: number;
  /** Lost clicks of those before the backup began, and of all. */
  lostOfBefore: number;
  lost: number;
  countedTwice: number;
  counted: number;
  rows: number;
  /** The result of `verify-rollups`. */
  figures: string;
  /** Incorrect responses of the restored service. */
  wrong: number;
  /** Error lines in the log of the restored service. */
  errors: number;
}

const VISITORS = 4;
/** Often enough for visits at every moment, and rarely enough to leave the machine to who writes clicks. */
const PAUSE_MS = 25;
const DATABASE = "waymark";
const ACCOUNT = { email: "ada@example.com", password: "quartz trombone lagoon" };
const SECRET = "a secret of the backup tests, of enough length";
const START_MS_MAX = 60_000;
/** Milliseconds without a new click in Postgres before waiting ends. */
const STANDSTILL_MS = 60_000;
const HEALTHY_MS_MAX = 60_000;

export async function backups(loadMs: number): Promise<BackupReport[]> {
  const reports: BackupReport[] = [];
  for (const backup of ["pg_dump", "pg_basebackup"] as const) {
    for (const volume of ["kept", "lost"] as const) reports.push(await backUpAndRestore({ backup, volume, loadMs }));
  }
  return reports;
}

export async function backUpAndRestore({
  backup,
  volume,
  loadMs,
}: Pick<BackupReport, "backup" | "volume"> & { loadMs: number }): Promise<BackupReport> {
  await using stack = new AsyncDisposableStack();
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), "waymark-volume-"));
    stack.defer(() => rm(made, { recursive: true, force: true }));
    return made;
  };
  const postgres = stack.use(await startSystemPostgres());
  await postgres.run("createdb", [], DATABASE);
  const dataDir = await folder();
  const first = await start(dataDir, postgres.urlOf(DATABASE));
  const slug = await prepare(first.port, postgres.urlOf(DATABASE));

  const load = sendVisitors({ port: first.port, slug, visitors: VISITORS, pauseMs: PAUSE_MS });
  await Bun.sleep(loadMs);
  await load.untilAcknowledged(VISITORS);
  const before = [...load.visits.acknowledged];
  await untilApplied(postgres.urlOf(DATABASE), before);
  const restore = await BACKUPS[backup](postgres);
  const atBackup = load.visits.acknowledged.length;
  await Bun.sleep(loadMs);
  await load.untilAcknowledged(atBackup + VISITORS);
  await first.service.end("SIGKILL");
  await load.stop();

  const restored = stack.use(await restore());
  const url = restored.urlOf(DATABASE);
  const second = await start(volume === "kept" ? dataDir : await folder(), url);
  const wrong = await use(second.port, slug);
  const { acknowledged } = load.visits;
  // A service that stops earlier leaves the rest of its clicks in its spool.
  if (volume === "kept") await untilApplied(url, acknowledged);
  await second.service.end();
  const database = openDatabase(url, { pool: "tool", name: "waymark test" });
  stack.defer(() => database.close());
  const { lost, ...sums } = await compare(database.sql, acknowledged);
  const { lost: lostOfBefore } = await compare(database.sql, before);
  return {
    ...{ backup, volume, before: before.length, acknowledged: acknowledged.length, lostOfBefore, lost, ...sums, wrong },
    figures: await verify(url, dataDir),
    errors: countErrors(second.service),
  };
}

/** Each takes a backup of a running cluster and returns a function that restores it on a new cluster. */
const BACKUPS: Record<BackupReport["backup"], (postgres: SystemPostgres) => Promise<() => Promise<SystemPostgres>>> = {
  async pg_dump(postgres) {
    const file = join(postgres.folder, "dump");
    await postgres.run("pg_dump", ["-Fc", "-f", file], DATABASE);
    return async () => {
      const restored = await startSystemPostgres();
      await restored.run("createdb", [], DATABASE);
      await restored.run("pg_restore", ["--exit-on-error", "--no-owner", "-d", DATABASE, file]);
      return restored;
    };
  },
  async pg_basebackup(postgres) {
    const copy = join(postgres.folder, "copy");
    await postgres.run("pg_basebackup", ["-D", copy, "-X", "stream", "-c", "fast", "--no-sync"]);
    return () => startSystemPostgres({ from: copy });
  },
};

/** Registers an account. Returns the slug of a link whose destination contains the click's id. */
async function prepare(port: number, url: string): Promise<string> {
  const body = JSON.stringify({ ...ACCOUNT, name: "Ada", organizationName: "Acme" });
  const { status } = await post(port, "/api/v1/auth/register", body);
  if (status !== 201) throw new Error(`register answered ${status}`);
  const database = openDatabase(url, { pool: "tool", name: "waymark test" });
  try {
    return await linkWithClickIds(database.sql);
  } finally {
    await database.close();
  }
}

/** Waits until all acknowledged clicks are in Postgres. */
async function untilApplied(url: string, acknowledged: readonly string[]): Promise<void> {
  const database = openDatabase(url, { pool: "tool", name: "waymark test" });
  try {
    let [fewest, movedAt] = [acknowledged.length, performance.now()];
    for (;;) {
      const { lost } = await compare(database.sql, acknowledged);
      if (lost === 0) return;
      if (lost < fewest) [fewest, movedAt] = [lost, performance.now()];
      if (performance.now() - movedAt > STANDSTILL_MS) throw new Error(`${lost} clicks never came to Postgres`);
      await Bun.sleep(50);
    }
  } finally {
    await database.close();
  }
}

/** Does what people do with a service: follows an old link, signs in, creates a link. Returns how much of it failed. */
export async function use(port: number, slug: string): Promise<number> {
  const visit = (path: string) => fetch(`http://localhost:${port}/${path}`, { redirect: "manual" });
  const old = await visit(slug);
  const session = await post(port, "/api/v1/auth/login", JSON.stringify(ACCOUNT));
  const { token = "", organizations = [] }: { token?: string; organizations?: { _id: string }[] } = JSON.parse(
    session.text,
  );
  const link = JSON.stringify({ defaultUrl: "https://example.com/", slug: "after" });
  const created = await post(port, `/api/v1/organizations/${organizations[0]?._id}/links`, link, token);
  const fresh = await visit("after");
  const statuses = { old: old.status, session: session.status, created: created.status, fresh: fresh.status };
  const wanted = { old: 302, session: 200, created: 201, fresh: 302 };
  const wrong = Object.entries(wanted).filter(([name, status]) => Object(statuses)[name] !== status).length;
  if (wrong > 0) console.error(statuses);
  return wrong + ((await isHealthyInTheEnd(port)) ? 0 : 1);
}

/** Waits until the service is healthy, because on a busy machine it may be degraded for a moment. */
async function isHealthyInTheEnd(port: number): Promise<boolean> {
  let said = "";
  for (const giveUpAt = performance.now() + HEALTHY_MS_MAX; performance.now() < giveUpAt; await Bun.sleep(100)) {
    said = await (await fetch(`http://localhost:${port}/health`)).text();
    if (JSON.parse(said).status === "ok") return true;
  }
  console.error(said);
  return false;
}

async function post(port: number, path: string, body: string, token?: string) {
  const response = await fetch(`http://localhost:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/**
 * Counts the error lines in the log, and prints them. On a busy machine, a Postgres that answers late may count as
 * unavailable for a moment: whether that ends is seen by what the service does.
 */
export function countErrors({ lines }: ServiceProcess): number {
  const errors = lines.filter(({ level, message }) => level === "error" && message !== "postgres is unavailable");
  if (errors.length > 0) console.error(errors);
  return errors.length;
}

/** Returns the last line of the operator's command. */
export async function verify(databaseUrl: string, dataDir: string): Promise<string> {
  const child = Bun.spawn([process.execPath, "src/admin.ts", "verify-rollups"], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...SURROUNDINGS, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, APP_SECRET: SECRET },
  });
  const [said] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return said.trim().split("\n").at(-1) ?? "";
}

export async function start(dataDir: string, databaseUrl: string) {
  const port = await takePort();
  const env = { WORKERS: "1", APP_SECRET: SECRET };
  const service = new ServiceProcess({ port, dataDir, databaseUrl, env });
  const giveUpAt = performance.now() + START_MS_MAX;
  while (!(await isUp(port))) {
    if (performance.now() > giveUpAt || service.process.exitCode !== null)
      throw new Error(`The service did not start: ${service.errorOutput}${service.lines.map((line) => line.message)}`);
    await Bun.sleep(20);
  }
  return { port, service };
}

const NO_DIFFERENCES = /: 0 differences$/;

export const isRestored = (report: BackupReport): boolean =>
  report.lostOfBefore + report.countedTwice + report.wrong + report.errors === 0 &&
  (report.volume === "lost" || report.lost === 0) &&
  report.counted === report.rows &&
  NO_DIFFERENCES.test(report.figures);

if (import.meta.main) {
  const reports = await backups(Number(Bun.argv[2] ?? 3_000));
  console.table(reports);
  await endRun();
  process.exit(reports.every(isRestored) ? 0 : 1);
}
