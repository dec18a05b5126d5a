/** The data of the embedded Postgres: created completely or not at all, with a random password stored beside it. */
import { randomBytes } from "node:crypto";
import { chown, lstat, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SettingError } from "@/platform/setting-error";
import type { Binaries } from "./binaries";
import { type Home, spawnInHome } from "./home";
import { notStarted } from "./not-started";

export const CLUSTER_FOLDER = "cluster";
const DRAFT_FOLDER = "cluster.new";
const PASSWORD_FILE = "password";

/** Rejects with a `SettingError` if the file is missing. */
export async function readPassword(path: string): Promise<string> {
  const file = Bun.file(join(path, PASSWORD_FILE));
  if (await file.exists()) return file.text();
  const cluster = join(path, CLUSTER_FOLDER);
  throw new SettingError(
    "DATA_DIR",
    `${file.name} is missing, without which the data in ${cluster} cannot be used. Restore the file from a backup, or ` +
      `write a new password to it and set the same one with: echo "alter role postgres password '…'" | postgres ` +
      `--single -D "${cluster}" postgres`,
  );
}

export const hasCluster = (path: string): Promise<boolean> =>
  lstat(join(path, CLUSTER_FOLDER)).then(Boolean, () => false);

export interface ClusterOptions {
  /** Whether new data is flushed to disk before it is used, not only to the system's cache. */
  isSynced: boolean;
  /** Once aborted, new data that is not complete yet is abandoned. */
  signal?: AbortSignal;
}

/** Creates the data on the first start; afterwards checks that these binaries can read it. */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  options: ClusterOptions,
  log: (line: string) => void,
): Promise<void> {
  const cluster = join(home.path, CLUSTER_FOLDER);
  if (!(await hasCluster(home.path))) {
    log(`Creating the embedded Postgres's data in ${home.path}`);
    return createCluster(home, binaries, options);
  }
  const version = (await Bun.file(join(cluster, "PG_VERSION")).text()).trim();
  if (version === binaries.majorVersion) return;
  throw new SettingError(
    "DATA_DIR",
    `${cluster} was written by Postgres ${version}, but this is ${binaries.majorVersion}: migrate it with pg_dump, or ` +
      "delete it.",
  );
}

async function createCluster(home: Home, binaries: Binaries, options: ClusterOptions): Promise<void> {
  const draft = join(home.path, DRAFT_FOLDER);
  const drop = () => rm(draft, { recursive: true, force: true });
  await drop();
  await writePassword(home);
  try {
    await runInitdb(home, binaries, options);
  } catch (error) {
    // If initdb is stopped just after it created the folder, it leaves the folder behind.
    await drop();
    throw error;
  }
  await rename(draft, join(home.path, CLUSTER_FOLDER));
}

async function writePassword(home: Home): Promise<void> {
  const path = join(home.path, PASSWORD_FILE);
  await rm(path, { force: true });
  await writeFile(path, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (home.user) await chown(path, home.user.uid, home.user.gid);
}

/**
 * The builtin locale sorts by code point, in the same way on every machine, and still handles Unicode upper and lower
 * case.
 */
async function runInitdb(home: Home, binaries: Binaries, { isSynced, signal }: ClusterOptions): Promise<void> {
  signal?.throwIfAborted();
  const child = spawnInHome(
    home,
    binaries.initdb,
    [
      `--pgdata=${join(home.seenPath, DRAFT_FOLDER)}`,
      `--pwfile=${join(home.seenPath, PASSWORD_FILE)}`,
      "--username=postgres",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(isSynced ? [] : ["--no-sync"]),
    ],
    "pipe",
  );
  const giveUp = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", giveUp, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  signal?.removeEventListener("abort", giveUp);
  if (code !== 0) throw notStarted(`Postgres could not create its data in ${home.path}`, output);
}
