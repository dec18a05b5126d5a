/**
 * How a service is told to stop, to stop immediately, and to replace itself, whoever sends the signal and however
 * often.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWERED, halfARequest } from "@test/support/raw-http/half-request";
import { makeMigratedDataFolder } from "@test/support/servers/embedded";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess, type ServiceProcessOptions } from "@test/support/service-process";
import { acquireFileLock } from "@/platform/file-lock";

const TEST_MS_MAX = 240_000;

const database = await createDatabase();
const removals: (() => Promise<void>)[] = [];
const services: ServiceProcess[] = [];
afterAll(async () => {
  for (const { process } of services) if (process.exitCode === null) process.kill("SIGKILL");
  await database.drop();
  for (const remove of removals) await remove();
});

/** Returns a data folder. One for an embedded Postgres already contains its data. */
async function dataFolder(hasOwnPostgres: boolean): Promise<string> {
  if (!hasOwnPostgres) {
    const folder = await mkdtemp(join(tmpdir(), "waymark-test-"));
    removals.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
  const { path, remove } = await makeMigratedDataFolder();
  removals.push(remove);
  return path;
}

async function start(options: Partial<ServiceProcessOptions> = {}) {
  const dataDir = await dataFolder("databaseUrl" in options);
  const settings = { port: await takePort(), dataDir, databaseUrl: database.url, ...options };
  const service = new ServiceProcess(settings);
  services.push(service);
  await service.until("serving");
  return { service, ...settings };
}

/**
 * Starts a service on an empty folder, and repeats that if the machine was too busy to notice the path while it
 * existed.
 */
async function beginUntil(
  path: string,
  env?: Record<string, string>,
): Promise<{ service: ServiceProcess; dataDir: string }> {
  for (;;) {
    const dataDir = await dataFolder(false);
    const service = new ServiceProcess({ port: await takePort(), dataDir, env });
    services.push(service);
    const isThere = () => existsSync(join(dataDir, path));
    const isPast = () => service.logged("serving").length > 0 || service.process.exitCode !== null;
    while (!isThere() && !isPast()) await Bun.sleep(1);
    if (isThere()) return { service, dataDir };
    expect(service.errorOutput).toBe("");
    await service.end("SIGTERM");
  }
}

const WITH_OWN_POSTGRES = { databaseUrl: undefined };
const hasPostgres = (dataDir: string) => existsSync(join(dataDir, "postgres/cluster/postmaster.pid"));
const pidFile = (dataDir: string) => join(dataDir, "waymark.pid");

/** Leaves alone a process that is gone, as a control group does. */
function tellToStop(pid: number): void {
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A service that stops cuts off requests that take longer. */
const REQUESTS_MS_MAX = 10_000;

interface Finished {
  received: string;
  /** Milliseconds since the service was told to stop. */
  tookMs: number;
}

/**
 * Expects the request to have been answered. Repeats the attempt if it was cut off because the machine was too busy to
 * answer it in time.
 */
async function untilAnswered(attempt: () => Promise<Finished>): Promise<void> {
  for (;;) {
    const { received, tookMs } = await attempt();
    if (!received.includes(ANSWERED) && tookMs >= REQUESTS_MS_MAX) continue;
    expect(received).toContain(ANSWERED);
    return;
  }
}

describe.concurrent("told to stop", () => {
  test(
    "twice, it finishes what is under way and ends its Postgres",
    async () => {
      await untilAnswered(async () => {
        const { service, port, dataDir } = await start({ ...WITH_OWN_POSTGRES, env: { WORKERS: "1" } });
        const finish = await halfARequest(port);
        const toldAt = performance.now();
        const ended = service.end("SIGTERM");
        await service.until("stopping");
        service.process.kill("SIGTERM");
        const finished = { received: await finish(), tookMs: performance.now() - toldAt };
        expect(await ended).toBe(0);
        expect(hasPostgres(dataDir)).toBe(false);
        expect(service.errorOutput).toBe("");
        return finished;
      });
    },
    TEST_MS_MAX,
  );

  test(
    "together with all of its processes, twice, as a control group is, it finishes what is under way",
    async () => {
      await untilAnswered(async () => {
        const { service, port } = await start();
        await service.until("worker ready", 2);
        const finish = await halfARequest(port);
        const everyone = [service.process.pid, ...service.pids().values()];
        const toldAt = performance.now();
        for (let time = 0; time < 2; time++) for (const pid of everyone) tellToStop(pid);
        const finished = { received: await finish(), tookMs: performance.now() - toldAt };
        expect(await service.process.exited).toBe(0);
        expect(service.logged("worker died")).toEqual([]);
        return finished;
      });
    },
    TEST_MS_MAX,
  );

  test.each(["1", "2"])(
    "three times, it ends at once with its Postgres, WORKERS=%s",
    async (workers) => {
      const { service, port, dataDir } = await start({ ...WITH_OWN_POSTGRES, env: { WORKERS: workers } });
      await halfARequest(port);
      const pids = [...service.pids().values()];
      service.process.kill("SIGTERM");
      await service.until("stopping");
      service.process.kill("SIGINT");
      service.process.kill("SIGTERM");
      expect(await service.process.exited).toBe(1);
      while (hasPostgres(dataDir) || pids.some(isAlive)) await Bun.sleep(20);
    },
    TEST_MS_MAX,
  );

  test.each([
    ["makes the data of its Postgres", "postgres/cluster.new"],
    ["starts its Postgres", "postgres/cluster/postmaster.pid"],
  ])(
    "while it %s, it ends and leaves nothing of that behind",
    async (_what, path) => {
      const { service, dataDir } = await beginUntil(path);
      expect(await service.end("SIGTERM")).toBe(0);
      expect(existsSync(join(dataDir, path))).toBe(false);
      expect(hasPostgres(dataDir)).toBe(false);
      expect(service.errorOutput).toBe("");
    },
    TEST_MS_MAX,
  );
});

describe.concurrent("its process id", () => {
  test(
    "is in the log and in DATA_DIR while it serves",
    async () => {
      const { service, dataDir } = await start({ env: { WORKERS: "1" } });
      expect(service.logged("serving")).toMatchObject([{ pid: service.process.pid }]);
      expect(await readFile(pidFile(dataDir), "utf8")).toBe(`${service.process.pid}\n`);
      expect(await service.end()).toBe(0);
      expect(existsSync(pidFile(dataDir))).toBe(false);
    },
    TEST_MS_MAX,
  );

  test(
    "takes a hang-up for a wish to be replaced, again and again, also where there is one process and one Postgres",
    async () => {
      const { service, port, dataDir } = await start({ ...WITH_OWN_POSTGRES, env: { WORKERS: "1" } });
      const finish = await halfARequest(port);
      const pid = Number(await readFile(pidFile(dataDir), "utf8"));
      for (let time = 1; time <= 2; time++) {
        process.kill(pid, "SIGHUP");
        if (time === 1) {
          await service.until("worker ready", 2);
          expect(await finish()).toContain(ANSWERED);
        }
        await service.until("rolling restart finished", time);
        const answer = await fetch(`http://localhost:${port}/health`, { keepalive: false });
        expect(answer.status).toBe(200);
      }
      const pids = service.logged("worker ready").map((line) => Number(line.pid));
      expect(new Set(pids).size).toBe(3);
      expect(pids.filter(isAlive)).toHaveLength(2);
      expect(await service.end()).toBe(0);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(hasPostgres(dataDir)).toBe(false);
      expect(service.logged("worker died")).toEqual([]);
      expect(service.errorOutput).toBe("");
    },
    TEST_MS_MAX,
  );

  test.each([
    ["SIGHUP", "serves and is replaced"],
    ["SIGTERM", "ends"],
  ] as const)(
    "on a %s while it waits for its predecessor, before it has begun anything, %s",
    async (signal) => {
      const dataDir = await dataFolder(true);
      const predecessor = acquireFileLock(join(dataDir, "stopping.lock"));
      const service = new ServiceProcess({ port: await takePort(), dataDir, env: { WORKERS: "1" } });
      services.push(service);
      await service.until("waiting for the previous process to stop");
      service.process.kill(signal);
      if (signal === "SIGHUP") {
        predecessor?.release();
        await service.until("rolling restart finished");
        service.process.kill("SIGTERM");
      }
      expect(await service.process.exited).toBe(0);
      predecessor?.release();
      expect(service.errorOutput).toBe("");
    },
    TEST_MS_MAX,
  );

  test(
    "takes a hang-up while it starts for a wish to be replaced as soon as it serves",
    async () => {
      const { service } = await beginUntil("postgres/cluster.new", { WORKERS: "1" });
      service.process.kill("SIGHUP");
      await service.until("rolling restart finished");
      expect(service.logged("worker replaced")).toHaveLength(1);
      expect(await service.end()).toBe(0);
      expect(service.errorOutput).toBe("");
    },
    TEST_MS_MAX,
  );
});
