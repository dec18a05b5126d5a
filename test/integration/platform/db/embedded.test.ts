import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  ask,
  makeUsedDataFolder,
  postgresProcesses,
  postmasterPid,
  startService,
} from "@test/support/servers/embedded";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";

let folder: string;
let remove: () => Promise<void>;
const lines: string[] = [];
const start = (path = folder) => startEmbeddedPostgres(path, (line) => lines.push(line));

beforeEach(async () => {
  lines.length = 0;
  ({ path: folder, remove } = await makeUsedDataFolder());
});

afterEach(() => remove());

describe("an embedded Postgres", () => {
  test("keeps its data across a restart, also with a relative path that contains spaces", async () => {
    const first = await start(join(folder, "a b"));
    await ask(first.url, "create table kept as select 42 as answer");
    await first.stop();
    const second = await start(relative(process.cwd(), join(folder, "a b")));
    expect(await ask(second.url, "select answer from kept")).toBe(42);
    await second.stop();
  });

  test("creates its data again if an earlier start was killed while creating it", async () => {
    await Bun.write(join(folder, "new/postgres/cluster.new/PG_VERSION"), "18\n");
    const { url, stop } = await start(join(folder, "new"));
    expect(await ask(url, "select 1")).toBe(1);
    await stop();
  });

  test("begins to create its data no more once it was told to stop", async () => {
    const path = join(folder, "stopped");
    const stopped = startEmbeddedPostgres(path, () => {}, { signal: AbortSignal.abort(new Error("told to stop")) });
    await expect(stopped).rejects.toThrow("told to stop");
    expect(existsSync(join(path, "postgres/cluster"))).toBe(false);
  });

  test("leaves no process behind, and stopping twice is harmless", async () => {
    const { stop } = await start();
    expect(postgresProcesses(folder)).toContain(postmasterPid(folder));
    await Promise.all([stop(), stop()]);
    await stop();
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("closes open connections when it stops", async () => {
    const { url, stop } = await start();
    const sleeper = ask(url, "select pg_sleep(600)").catch((error) => error.message);
    while ((await ask(url, "select count(*)::int from pg_stat_activity where query = 'select pg_sleep(600)'")) !== 1) {
      await Bun.sleep(10);
    }
    await stop();
    expect(await sleeper).toContain("CONNECTION_CLOSED");
  });

  test("sorts by code point, changes case beyond ASCII, commits to disk, and requires its password", async () => {
    const { url, stop } = await start();
    expect(await ask(url, "select 'Z' < 'a' and 'z' < 'é' and upper('é') = 'É'")).toBe(true);
    expect(await ask(url, "show server_encoding")).toBe("UTF8");
    const durable = "select current_setting('fsync') || ' ' || current_setting('synchronous_commit')";
    expect(await ask(url, durable)).toBe("on on");
    expect(statSync(join(folder, "postgres/password")).mode & 0o777).toBe(0o600);
    const wrong = new URL(url);
    wrong.password = "guessed";
    await expect(ask(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
    await stop();
  });

  test("ignores Postgres variables in the environment", async () => {
    const env = { ...process.env, PGDATA: "/nowhere", PGPORT: "1", PGUSER: "someone", PGOPTIONS: "-c jit=nonsense" };
    const service = await startService(folder, undefined, { env });
    expect(await ask(service.url, "select 1")).toBe(1);
    service.process.kill("SIGTERM");
    expect(await service.output).toContain("stopped");
  });
});

describe("several starts on the same data", () => {
  test.each([
    ["in the same process", () => start()],
    ["in another process", () => startService(folder)],
  ] as const)("share one Postgres, which its owner leaves to those that still use it, %s", async (_where, join) => {
    const owner = await start();
    const [guest, another] = await Promise.all([join(), startService(folder)]);
    expect([owner.isOwner, guest.isOwner, another.isOwner]).toEqual([true, false, false]);
    await owner.stop();
    for (const { url } of [guest, another]) expect(await ask(url, "select 1")).toBe(1);
    if ("process" in guest) guest.process.kill("SIGKILL");
    else await guest.stop();
    if ("process" in guest) await guest.output;
    expect(await ask(another.url, "select 1")).toBe(1);
    another.process.kill("SIGTERM");
    expect(await another.output).toContain("stopped");
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("share one Postgres, which the owner ends after its guests", async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const [owner, guest] = first.isOwner ? [first, second] : [second, first];
    expect([owner.isOwner, guest.isOwner, guest.url]).toEqual([true, false, owner.url]);
    await guest.stop();
    expect(await ask(owner.url, "select 1")).toBe(1);
    await owner.stop();
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("by several processes at the same time have one owner", async () => {
    const services = await Promise.all([1, 2, 3].map(() => startService(folder)));
    expect(services.filter(({ isOwner }) => isOwner)).toHaveLength(1);
    const pids = await Promise.all(
      services.map(({ url }) => ask(url, "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int")),
    );
    expect(new Set(pids)).toEqual(new Set([postmasterPid(folder)]));
    const guests = services.filter(({ isOwner }) => !isOwner);
    for (const { process } of guests) process.kill("SIGTERM");
    await Promise.all(guests.map(({ output }) => output));
    const [owner] = services.filter(({ isOwner }) => isOwner);
    owner?.process.kill("SIGTERM");
    expect(await owner?.output).toContain("stopped");
    expect(postgresProcesses(folder)).toEqual([]);
  });
});

describe("a start that fails", () => {
  test("shows the last lines of Postgres's log, and leaves the data free for the next start", async () => {
    const settings = { shared_buffers: "plenty" };
    const failing = startEmbeddedPostgres(folder, () => undefined, { settings });
    await expect(failing).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"');
    await failing.catch(() => undefined);
    expect(postgresProcesses(folder)).toEqual([]);
    const { isOwner, stop } = await start();
    expect(isOwner).toBe(true);
    await stop();
  });

  test("names both versions if the data is from another version of Postgres", async () => {
    await start().then(({ stop }) => stop());
    await writeFile(join(folder, "postgres/cluster/PG_VERSION"), "9\n");
    await expect(start()).rejects.toThrow(/written by Postgres 9, but this is \d+/);
  });

  test("names the folder if it cannot be created", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    await expect(start(join(file, "data"))).rejects.toThrow(file);
  });
});
