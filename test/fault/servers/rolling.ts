/**
 * Several workers on one port, under load: replaced in turn (SIGHUP), stopped (SIGTERM), killed (`kill -9`).
 *
 *   bun test/fault/servers/rolling.ts [times]
 *
 * Visitors keep connections and open new ones (`strict-visitors.ts` defines what counts as failed). Destinations
 * contain the click's id, so each response shows which click must be in Postgres exactly once. Nothing may fail while
 * workers are replaced or the service stops; of killed workers, only requests in progress fail, counted as `cut`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess } from "@test/support/service-process";
import { linkWithClickIds } from "../clicks/kill-service";
import { compareOnceApplied } from "../compare";
import { NO_ANSWER, sendVisitors, type Visitors, type Visits } from "./strict-visitors";

export interface RollingReport {
  times: number;
  acknowledged: number;
  /** Requests that got a connection but no complete redirect. */
  failed: number;
  /** How they failed: the first few different reasons. */
  why: string;
  /** Requests that got no connection, because no server was listening any more. */
  refused: number;
  /** Requests in progress at the moment of a `kill -9`. */
  cut: number;
  /** Clicks that were still in the spool when the service had stopped. */
  spooled: number;
  lost: number;
  countedTwice: number;
  /** Clicks by the counters, and rows; both may exceed the acknowledged clicks, if a kill came before a response. */
  counted: number;
  rows: number;
  slowestMs: number;
  /** The longest from the kill of a worker until the next one was ready. */
  slowestRestartMs: number;
}

interface Scene {
  start(): Promise<ServiceProcess>;
  visit(): Visitors;
}

const VISITORS_OF_A_KIND = 12;
const BETWEEN_MS = 150;
const WAYS_MAX = 3;
const RESTART_MS_WANTED = 5_000;

/**
 * Replaces workers under load; at most one additional process runs at a time. A single worker is replaced like one of
 * several. Then the service stops, also under load: visitors that come when no server listens any more do not count
 * as refused.
 */
export const rollUnderLoad = (times: number, workers = 2, pauseMs?: number): Promise<RollingReport> =>
  report({ times, workers, pauseMs }, async ({ start, visit }) => {
    const service = await start();
    const visitors = visit();
    await roll(service, times);
    await visitors.stop();
    return { all: [visitors.visits, await endUnderLoad(service, visit)] };
  });

/** Does all of it to one service: kills a worker, replaces both, and stops the service. */
export const killRollAndEnd = (pauseMs?: number): Promise<RollingReport> =>
  report({ times: 1, workers: 2, pauseMs }, async ({ start, visit }) => {
    const service = await start();
    const visitors = visit();
    const killed = await killInTurn(service, 1);
    await roll(service, 1);
    await visitors.stop();
    return { all: [visitors.visits, await endUnderLoad(service, visit)], ...killed };
  });

async function roll(service: ServiceProcess, times: number): Promise<void> {
  for (let finished = 1; finished <= times; finished++) {
    await Bun.sleep(BETWEEN_MS);
    service.process.kill("SIGHUP");
    await service.until("rolling restart finished", finished);
  }
}

/** Visitors that come when no server listens any more do not count as refused. */
async function endUnderLoad(service: ServiceProcess, visit: Scene["visit"]): Promise<Visits> {
  const last = visit();
  await last.untilAcknowledged(1);
  await Bun.sleep(BETWEEN_MS);
  await endCleanly(service);
  await last.stop();
  return { ...last.visits, refused: 0 };
}

/** Stops the service under load and starts the next one; visitors that come in between count as refused. */
export const terminateUnderLoad = (times: number, pauseMs?: number): Promise<RollingReport> =>
  report({ times, workers: 2, pauseMs }, async ({ start, visit }) => {
    const all: Visits[] = [];
    for (let end = 1; end <= times; end++) {
      const service = await start();
      const visitors = visit();
      await Bun.sleep(BETWEEN_MS + Math.random() * BETWEEN_MS);
      await endCleanly(service);
      await visitors.stop();
      all.push(visitors.visits);
    }
    return { all };
  });

/** Kills one worker after another under load, each once the previous one has been replaced. */
export const killWorkers = (times: number, pauseMs?: number): Promise<RollingReport> =>
  report({ times, workers: 2, pauseMs }, async ({ start, visit }) => {
    const service = await start();
    const visitors = visit();
    const killed = await killInTurn(service, times);
    await visitors.stop();
    await endCleanly(service);
    return { all: [visitors.visits], ...killed };
  });

async function killInTurn(service: ServiceProcess, times: number) {
  const kills: Kill[] = [];
  let slowestRestartMs = 0;
  for (let kill = 0; kill < times; kill++) {
    await Bun.sleep(BETWEEN_MS + Math.random() * BETWEEN_MS);
    const pid = service.pids().get((kill % 2) + 1);
    if (pid === undefined) throw new Error("There are two workers");
    const killedAt = performance.now();
    process.kill(pid, "SIGKILL");
    await service.until("worker died", kill + 1);
    kills.push({ killedAt, goneAt: performance.now() });
    await service.until("worker ready", 3 + kill);
    slowestRestartMs = Math.max(slowestRestartMs, Math.round(performance.now() - killedAt));
  }
  return { kills, slowestRestartMs };
}

async function endCleanly(service: ServiceProcess): Promise<void> {
  const code = await service.end("SIGTERM");
  if (code !== 0) throw new Error(`The service ended with ${code}: ${service.errorOutput}`);
}

/** From the signal until the worker is known to be gone: until then, visitors may still be sent to it. */
interface Kill {
  killedAt: number;
  goneAt: number;
}

interface Outcome {
  all: Visits[];
  kills?: Kill[];
  slowestRestartMs?: number;
}

interface Scale {
  times: number;
  workers: number;
  /** See `sendVisitors`. */
  pauseMs?: number;
}

async function report(scale: Scale, play: (scene: Scene) => Promise<Outcome>): Promise<RollingReport> {
  const { times, workers, pauseMs } = scale;
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-rolling-"));
  const database = await createDatabase();
  const settings = {
    dataDir,
    databaseUrl: database.url,
    port: await takePort(),
    env: { WORKERS: String(workers) },
  };
  const services: ServiceProcess[] = [];
  let slug = "";
  const start = async () => {
    const service = new ServiceProcess(settings);
    services.push(service);
    await service.until("worker ready", workers);
    // The shared domain, which the link needs, is created by the first start.
    slug ||= await linkWithClickIds(database.sql);
    return service;
  };
  try {
    const visit = () => sendVisitors({ port: settings.port, slug, visitors: VISITORS_OF_A_KIND, pauseMs });
    const { all, kills = [], slowestRestartMs = 0 } = await play({ start, visit });
    const acknowledged = all.flatMap((visits) => visits.acknowledged);
    const compared = await compareOnceApplied(database.sql, acknowledged, async () => [new ServiceProcess(settings)]);
    return { times, acknowledged: acknowledged.length, ...tally(all, kills), ...compared, slowestRestartMs };
  } finally {
    for (const { process } of services) if (process.exitCode === null) process.kill("SIGKILL");
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Counts failures by cause. A kill cuts off requests that began before the worker was gone, even if a busy machine
 * lets the visitor see it later. A request that waited for its response in vain was not cut off.
 */
function tally(all: readonly Visits[], kills: readonly Kill[]) {
  const failed = all.flatMap((visits) => visits.failed);
  const isCut = ({ startedAt, at, why }: Visits["failed"][number]) =>
    why !== NO_ANSWER && kills.some(({ killedAt, goneAt }) => startedAt < goneAt && at >= killedAt);
  const cut = failed.filter(isCut).length;
  const ways = new Set(failed.filter((failure) => !isCut(failure)).map(({ why }) => why));
  return {
    failed: failed.length - cut,
    why: [...ways].slice(0, WAYS_MAX).join("; "),
    refused: all.reduce((sum, visits) => sum + visits.refused, 0),
    cut,
    slowestMs: Math.round(Math.max(...all.map(({ slowestMs }) => slowestMs))),
  };
}

/**
 * True if nothing failed, was lost or counted twice, and kills cut off at most one request per visitor and were
 * followed by a replacement in time.
 */
export const isFlawless = (report: RollingReport): boolean => {
  const { times, acknowledged, failed, cut, lost, countedTwice, counted, rows, slowestRestartMs } = report;
  const isCounted = lost === 0 && countedTwice === 0 && counted === rows;
  const isServed = acknowledged > 0 && failed === 0 && cut <= times * VISITORS_OF_A_KIND * 2;
  return isServed && isCounted && slowestRestartMs <= RESTART_MS_WANTED;
};

if (import.meta.main) {
  const times = Number(Bun.argv[2] ?? 20);
  const reports = {
    "replaced in turn (SIGHUP)": await rollUnderLoad(times),
    "one alone replaced (SIGHUP)": await rollUnderLoad(times, 1),
    "ended (SIGTERM)": await terminateUnderLoad(times),
    "one killed (kill -9)": await killWorkers(times),
  };
  console.table(reports);
  await endRun();
  process.exit(Object.values(reports).every(isFlawless) ? 0 : 1);
}
