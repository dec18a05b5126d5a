/** An embedded Postgres that ends while the service uses it: killed by the system, by an operator, or by a full disk. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ask,
  makeMigratedDataFolder,
  makeUsedDataFolder,
  postgresProcesses,
  postmasterPid,
  signalIfRunning,
  startService,
} from "@test/support/servers/embedded";
import { fillDisk, hasSmallDisks, onSmallDisk } from "@test/support/servers/small-disk";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { eventually, until } from "@test/support/until";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { keepUp, type UpkeepOptions } from "@/platform/db/embedded/upkeep";

const TEST_MS_MAX = 240_000;
/** Room for a new Postgres, its log and the spool. */
const DISK_MEGABYTES = 300;

async function dataFolder(make = makeUsedDataFolder): Promise<string> {
  const { path, remove } = await make();
  afterAll(remove);
  return path;
}

const killPostgres = (folder: string) => {
  for (const pid of postgresProcesses(folder)) signalIfRunning(pid, "SIGKILL");
};

test.each(["1", "2"])(
  "a service starts it again at the same address, and counts the clicks of the meantime, WORKERS=%s",
  async (workers) => {
    const dataDir = await dataFolder(makeMigratedDataFolder);
    const port = await takePort();
    const service = new ServiceProcess({ port, dataDir, env: { WORKERS: workers } });
    afterAll(() => service.process.kill("SIGKILL"));
    await service.until("serving");
    const { register, createLink, visit, call } = client(`http://localhost:${port}`);
    const link = await createLink(await register(), { slug: "kept", defaultUrl: "https://example.com/" });
    const path = `/${link.slug}`;
    const visitOnce = async () => expect((await visit(path)).status).toBe(302);
    for (let times = 0; times < 5; times++) await visitOnce();
    const pid = postmasterPid(dataDir);
    killPostgres(dataDir);
    await visitOnce();
    await service.until("the embedded Postgres ended in use; starting it again");
    await until(async () => (await call("GET", "/ready")).status === 200 && postmasterPid(dataDir) !== pid);
    await visitOnce();
    const postmaster = (await Bun.file(join(dataDir, "postgres/cluster/postmaster.pid")).text()).split("\n");
    const password = await Bun.file(join(dataDir, "postgres/password")).text();
    const url = `postgres://postgres:${password}@127.0.0.1:${postmaster[3]}/postgres`;
    await eventually(() => ask(url, "select count(*)::int from clicks"), 7);
    expect(await service.end()).toBe(0);
    expect(postgresProcesses(dataDir)).toEqual([]);
    expect(service.errorOutput).toBe("");
  },
  TEST_MS_MAX,
);

test.skipIf(!hasSmallDisks())(
  "on a full disk it is started again as soon as there is room, and cached links redirect until then",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-test-"));
    afterAll(() => rm(dataDir, { recursive: true, force: true }));
    const port = await takePort();
    const within = onSmallDisk(dataDir, DISK_MEGABYTES);
    const service = new ServiceProcess({ port, dataDir, within, env: { WORKERS: "1" } });
    afterAll(() => service.process.kill("SIGKILL"));
    await service.until("serving");
    const { register, createLink, visit, call } = client(`http://localhost:${port}`);
    const link = await createLink(await register(), { defaultUrl: "https://example.com/" });
    const statusOfVisit = async () => (await visit(`/${link.slug}`)).status;
    expect(await statusOfVisit()).toBe(302);
    const filled = await fillDisk(service.process.pid, dataDir);
    const ownFile = join(`/proc/${service.process.pid}/root`, dataDir, "postgres/cluster/postmaster.pid");
    process.kill(Number.parseInt(await Bun.file(ownFile).text(), 10), "SIGKILL");
    await service.until("could not start the embedded Postgres again");
    expect(await statusOfVisit()).toBe(302);
    await filled.free();
    await until(async () => (await call("GET", "/ready")).status === 200);
    expect(await service.end()).toBe(0);
  },
  TEST_MS_MAX,
);

describe("upkeep", () => {
  const warned: string[] = [];
  const givenUp = Promise.withResolvers<unknown>();
  const log = { warn: (message: string) => void warned.push(message) };
  const upkeep = (options: Partial<UpkeepOptions> = {}): UpkeepOptions => ({
    log,
    onGivenUp: givenUp.resolve,
    ...options,
  });
  const start = async (folder: string, options?: Partial<UpkeepOptions>): Promise<EmbeddedPostgres> => {
    const embedded = await startEmbeddedPostgres(folder, () => undefined, { upkeep: upkeep(options) });
    afterAll(() => embedded.stop());
    return embedded;
  };
  const untilAnswering = (url: string) => until(async () => (await ask(url, "select 42")) === 42);

  test("works again and again, and ends with the last user", async () => {
    const folder = await dataFolder();
    const { url, stop } = await start(folder);
    for (let times = 0; times < 2; times++) {
      killPostgres(folder);
      await untilAnswering(url);
    }
    await stop();
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("is up to whoever still uses it once the owner has left", async () => {
    const folder = await dataFolder();
    const owner = await startService(folder);
    const { url, isOwner, stop } = await start(folder);
    expect(isOwner).toBe(false);
    owner.process.kill("SIGTERM");
    await owner.output;
    await untilAnswering(url);
    killPostgres(folder);
    await untilAnswering(url);
    await stop();
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("does not give up while the disk is full, where a new process could not start either", async () => {
    let looks = 0;
    const ended = Promise.withResolvers<unknown>();
    const fault = new Error("no space left on device");
    const { stop } = keepUp(
      { isUp: async () => false, restart: () => Promise.reject(fault), hasRoom: async () => ++looks === 3 },
      { log: { warn: () => undefined }, giveUpMs: 1, onGivenUp: ended.resolve },
    );
    expect(await ended.promise).toBe(fault);
    expect(looks).toBe(3);
    await stop();
  });

  test("gives up with the reason, and never passes an empty database for the one that was lost", async () => {
    const folder = await dataFolder();
    const { stop } = await start(folder, { giveUpMs: 1 });
    const cluster = join(folder, "postgres/cluster");
    await rename(cluster, `${cluster}.elsewhere`);
    killPostgres(folder);
    expect(String(await givenUp.promise)).toContain("no longer exists");
    expect(warned).toContain("could not start the embedded Postgres again");
    await stop();
    expect(await Bun.file(join(cluster, "PG_VERSION")).exists()).toBe(false);
  });
});
