/**
 * The disk with the spool is full while Postgres is down. Redirects go on; clicks that find no space are shed, which
 * is counted in `/metrics` and logged; as soon as there is space again, clicks are recorded. In the end the click of
 * every redirected visitor either is in Postgres exactly once, or was counted as shed.
 *
 *   bun test/fault/clicks/disk-full.ts [rounds] [seconds]
 *
 * Needs root or user namespaces for a disk of a few megabytes that a test can fill.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { scrape } from "@test/support/scrape";
import { createDatabase } from "@test/support/servers/postgres";
import { fillDisk, onSmallDisk } from "@test/support/servers/small-disk";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess } from "@test/support/service-process";
import { compare } from "../compare";
import { linkWithClickIds } from "./kill-service";

export interface DiskFullOptions {
  /** How often the disk is filled and freed. */
  rounds: number;
  /** Milliseconds that the disk stays full once the first click was shed, and that clicks are recorded afterwards. */
  stateMs: number;
}

export interface DiskFullReport {
  rounds: number;
  /** Visitors who were redirected, those of them while clicks were shed, and visitors who were not redirected. */
  redirected: number;
  redirectedWhileFull: number;
  failed: number;
  /** Clicks shed, as counted in `/metrics`. */
  shed: number;
  /** Rounds in which the log reports the fault. */
  logged: number;
  /**
   * Clicks acknowledged by a redirect that were neither shed nor are in Postgres, and clicks that are there more than
   * once.
   */
  lost: number;
  countedTwice: number;
  rows: number;
}

/** More than a round records, because applied segments are kept for a while. */
const DISK_MEGABYTES_A_ROUND = 64;
const VISITORS_AT_ONCE = 16;
/**
 * Milliseconds between two visits of a visitor while there has to be space: visits slow enough for a busy machine to
 * apply them.
 */
const PAUSE_MS = 100;
const WAIT_MS_MAX = 180_000;
const FAULT = "cannot write clicks to the spool";
/** Near the maximum that a record holds of each, so that the remaining space fills up quickly. */
const LONG = { query: "q".repeat(1900), referrer: `https://example.com/${"r".repeat(900)}` };

export async function diskFull({ rounds, stateMs }: DiskFullOptions): Promise<DiskFullReport> {
  const stage = await setUp(rounds * DISK_MEGABYTES_A_ROUND);
  const { visitors, service, postgres, dataDir } = stage;
  let redirectedWhileFull = 0;
  let logged = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const toldBefore = service.logged(FAULT).length;
      const shedBefore = await stage.shed();
      await postgres.cut();
      const filler = await fillDisk(service.process.pid, dataDir);
      visitors.pauseMs(0);
      await until("clicks were shed", async () => (await stage.shed()) > shedBefore);
      const before = visitors.redirected.length;
      visitors.pauseMs(PAUSE_MS);
      await Bun.sleep(stateMs);
      await until("visitors were redirected while the disk was full", async () => visitors.redirected.length > before);
      redirectedWhileFull += visitors.redirected.length - before;
      await until("the fault was logged", async () => service.logged(FAULT).length > toldBefore);
      logged += 1;
      await filler.free();
      await recordsAgain(stage);
      await Bun.sleep(stateMs);
      await postgres.open();
      await applyAgain(stage);
    }
    await visitors.stop();
    const shed = await stage.shed();
    await allApplied(stage, shed);
    await service.end();
    const { redirected, failed } = visitors;
    const { lost, countedTwice, rows } = await compare(stage.sql, redirected);
    const figures = { rounds, redirected: redirected.length, redirectedWhileFull, failed: failed.length, shed, logged };
    return { ...figures, lost: lost - shed, countedTwice, rows };
  } finally {
    await stage.tearDown();
  }
}

/** Smaller than a segment: applied clicks have to make space although their segment is not full. */
const SMALLEST_DISK_MEGABYTES = 12;

/** The disk is filled only by clicks that wait for Postgres; then Postgres returns and they are applied. */
export async function smallestDisk(): Promise<Pick<DiskFullReport, "redirected" | "shed" | "lost" | "countedTwice">> {
  const stage = await setUp(SMALLEST_DISK_MEGABYTES);
  try {
    await stage.postgres.cut();
    stage.visitors.pauseMs(0);
    await until("clicks were shed", async () => (await stage.shed()) > 0);
    stage.visitors.pauseMs(PAUSE_MS);
    await stage.postgres.open();
    await recordsAgain(stage);
    await applyAgain(stage);
    await stage.visitors.stop();
    const shed = await stage.shed();
    await allApplied(stage, shed);
    await stage.service.end();
    const { lost, countedTwice } = await compare(stage.sql, stage.visitors.redirected);
    return { redirected: stage.visitors.redirected.length, shed, lost: lost - shed, countedTwice };
  } finally {
    await stage.tearDown();
  }
}

const PENDING_BYTES_LOW = 1024 * 1024;
/** Milliseconds without a shed click, during which dozens of visitors come. */
const QUIET_MS = 300;

/** Waits until the service records again: visitors come and no more clicks are shed. */
async function recordsAgain({ shed, visitors }: Stage): Promise<void> {
  await until("clicks were recorded again", async () => {
    const [shedBefore, before] = [await shed(), visitors.redirected.length];
    await Bun.sleep(QUIET_MS);
    return (await shed()) === shedBefore && visitors.redirected.length > before;
  });
}

/** Waits until clicks are applied again, because a service that stops before that leaves its clicks to the next one. */
async function applyAgain({ clicks, sql }: Stage): Promise<void> {
  const rows = async () => (await sql<{ rows: number }[]>`select count(*)::int as rows from clicks`)[0]?.rows ?? 0;
  const before = await rows();
  await until("clicks were applied", async () => {
    return (await rows()) > before && (await clicks()).pendingBytes < PENDING_BYTES_LOW;
  });
}

/**
 * Waits until all clicks are applied, because a service that stops earlier leaves the rest in its spool. If some
 * never are, the figures show it.
 */
const allApplied = ({ sql, visitors }: Stage, shed: number): Promise<void> =>
  until("all was applied", async () => (await compare(sql, visitors.redirected)).lost <= shed).catch(() => undefined);

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`It took more than ${WAIT_MS_MAX} ms until ${what}`);
    await Bun.sleep(20);
  }
}

type Stage = Awaited<ReturnType<typeof setUp>>;

async function setUp(diskMegabytes: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-disk-full-"));
  const database = await createDatabase();
  const databaseUrl = new URL(database.url);
  const postgres = await TcpProxy.start(Number(databaseUrl.port || 5432));
  databaseUrl.host = `127.0.0.1:${postgres.port}`;
  const port = await takePort();
  const service = new ServiceProcess({
    port,
    dataDir,
    databaseUrl: databaseUrl.href,
    env: { WORKERS: "1" },
    within: onSmallDisk(dataDir, diskMegabytes),
  });
  const url = `http://localhost:${port}`;
  const clicks = async () => {
    const values = await scrape(url);
    return { shed: values("waymark_clicks_shed_total"), pendingBytes: values("waymark_spool_pending_bytes") };
  };
  const tearDown = async () => {
    await service.end("SIGKILL");
    await postgres.cut();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await until("the service was up", () => fetch(`${url}/health`).then(({ ok }) => ok, failedIf(service)));
    const visitors = visit(`${url}/${await linkWithClickIds(database.sql)}`);
    // From then on the link is cached.
    await until("visitors were redirected", async () => visitors.redirected.length > 0);
    const shed = async () => (await clicks()).shed;
    return { dataDir, service, postgres, visitors, clicks, shed, sql: database.sql, tearDown };
  } catch (error) {
    await tearDown();
    throw error;
  }
}

const failedIf = (service: ServiceProcess) => () => {
  if (service.process.exitCode === null) return false;
  throw new Error(`The service ended: ${service.errorOutput}`);
};

/** Visits over several connections, one visit after another on each, until stopped. */
function visit(url: string) {
  const redirected: string[] = [];
  const failed: unknown[] = [];
  let isStopped = false;
  let pauseMs = PAUSE_MS;
  const visitor = async (index: number) => {
    const headers = { "user-agent": `Mozilla/5.0 (X11; Linux x86_64) Visitor/${index}`, referer: LONG.referrer };
    while (!isStopped) {
      const response = await fetch(`${url}?q=${LONG.query}`, { redirect: "manual", headers }).catch(String);
      const location = typeof response === "string" ? null : response.headers.get("location");
      if (location) redirected.push(new URL(location).searchParams.get("wm_cid") ?? "none");
      else failed.push(response);
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  };
  const ended = Promise.all(Array.from({ length: VISITORS_AT_ONCE }, (_, index) => visitor(index)));
  const stop = async () => {
    isStopped = true;
    await ended;
  };
  return {
    redirected,
    failed,
    stop,
    pauseMs: (wanted: number) => {
      pauseMs = wanted;
    },
  };
}

if (import.meta.main) {
  const [, , rounds = "5", seconds = "10"] = Bun.argv;
  const report = await diskFull({ rounds: Number(rounds), stateMs: Number(seconds) * 1000 });
  console.table(report);
  await endRun();
  const { failed, shed, lost, countedTwice, logged } = report;
  process.exit(failed === 0 && lost === 0 && countedTwice === 0 && shed > 0 && logged === Number(rounds) ? 0 : 1);
}
