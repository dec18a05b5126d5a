import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  killService,
  makeUsedDataFolder,
  postgresProcesses,
  postmasterPid,
  signalIfRunning,
  startService,
} from "@test/support/servers/embedded";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";

let folder: string;
let remove: () => Promise<void>;
const start = () => startEmbeddedPostgres(folder, () => undefined);

async function killPostgres(): Promise<void> {
  for (const pid of postgresProcesses(folder)) signalIfRunning(pid, "SIGKILL");
  while (postgresProcesses(folder).length > 0) await Bun.sleep(10);
}

/** Leaves it alone if another program has taken it in the meantime. */
function takePort(port: number): Disposable {
  try {
    const listener = Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
    return { [Symbol.dispose]: () => listener.stop(true) };
  } catch {
    return { [Symbol.dispose]() {} };
  }
}

beforeEach(async () => {
  ({ path: folder, remove } = await makeUsedDataFolder());
});

afterEach(() => remove());

describe("after its owner was killed, Postgres", () => {
  test("keeps running, and the next start uses it", async () => {
    const service = await startService(folder);
    await ask(service.url, "create table kept as select 42 as answer");
    const pid = postmasterPid(folder);
    await killService(service);
    const next = await start();
    expect(next).toMatchObject({ url: service.url, isOwner: true });
    expect(postmasterPid(folder)).toBe(pid);
    expect(await ask(next.url, "select answer from kept")).toBe(42);
    await next.stop();
    expect(postgresProcesses(folder)).toEqual([]);
  });

  test("is replaced when it no longer answers", async () => {
    const service = await startService(folder);
    await ask(service.url, "create table kept as select 42 as answer");
    const pid = postmasterPid(folder);
    await killService(service);
    process.kill(pid, "SIGSTOP");
    const next = await start();
    expect(postmasterPid(folder)).not.toBe(pid);
    expect(postgresProcesses(folder)).not.toContain(pid);
    expect(await ask(next.url, "select answer from kept")).toBe(42);
    await next.stop();
  });

  test("is waited for while it is still stopping", async () => {
    const service = await startService(folder);
    await killService(service);
    process.kill(postmasterPid(folder), "SIGINT");
    const next = await start();
    expect(await ask(next.url, "select 1")).toBe(1);
    await next.stop();
  });
});

describe("a start without the password file", () => {
  const withoutPassword = async () => {
    const path = join(folder, "postgres/password");
    const password = await Bun.file(path).text();
    await rm(path);
    await expect(start()).rejects.toThrow(`${path} is missing`);
    expect(postgresProcesses(folder)).toEqual([]);
    await writeFile(path, password);
  };

  test("says which file is missing, and leaves no Postgres running", async () => {
    await withoutPassword();
    const next = await start();
    expect(await ask(next.url, "select 1")).toBe(1);
    await next.stop();
  });

  test("cleanly stops the Postgres that a killed owner left running", async () => {
    const service = await startService(folder);
    await ask(service.url, "create table kept as select 42 as answer");
    await killService(service);
    await withoutPassword();
    const next = await start();
    expect(await ask(next.url, "select answer from kept")).toBe(42);
    await next.stop();
  });
});

describe("a postmaster.pid left by a crash", () => {
  test("does not keep Postgres from starting with all committed data", async () => {
    const service = await startService(folder);
    await ask(service.url, "create table kept as select 42 as answer");
    await killService(service);
    await killPostgres();
    const next = await start();
    expect(await ask(next.url, "select answer from kept")).toBe(42);
    await next.stop();
  });

  test("leads the next start to the same port, for those that have joined and still use it", async () => {
    for (let tries = 1; ; tries++) {
      const service = await startService(folder);
      const joined = await start();
      expect(joined).toMatchObject({ isOwner: false, url: service.url });
      await killService(service);
      await killPostgres();
      const next = await start();
      expect(next.isOwner).toBe(true);
      await joined.stop();
      await next.stop();
      if (next.url === joined.url) return;
      // Another program may have taken the port in the meantime, though hardly ever.
      expect(tries).toBeLessThan(3);
    }
  });

  test("does not keep Postgres from starting if its port has been taken", async () => {
    const service = await startService(folder);
    await killService(service);
    await killPostgres();
    using _other = takePort(Number(new URL(service.url).port));
    const next = await start();
    expect(await ask(next.url, "select 1")).toBe(1);
    await next.stop();
  });

  test("does not harm the process that now has its pid", async () => {
    const { stop } = await start();
    await stop();
    const bystander = Bun.spawn(["sleep", "600"]);
    const content = [bystander.pid, join(folder, "postgres/cluster"), 0, 1, "", "127.0.0.1", "", "ready"].join("\n");
    await writeFile(join(folder, "postgres/cluster/postmaster.pid"), content);
    const next = await start();
    expect(await ask(next.url, "select 1")).toBe(1);
    await next.stop();
    expect(bystander.exitCode).toBeNull();
    bystander.kill();
  });

  test("may be malformed", async () => {
    const { stop } = await start();
    await stop();
    await writeFile(join(folder, "postgres/cluster/postmaster.pid"), "12x");
    const next = await start();
    expect(await ask(next.url, "select 1")).toBe(1);
    await next.stop();
  });
});

describe("Ctrl-C in the service's terminal", () => {
  test("stops Postgres only after the service has drained, and leaves no process", async () => {
    const service = await startService(folder);
    process.kill(-Number(service.process.pid), "SIGINT");
    expect((await service.output).split("\n").slice(1)).toEqual(["drained", "stopped", ""]);
    expect(postgresProcesses(folder)).toEqual([]);
  });
});
