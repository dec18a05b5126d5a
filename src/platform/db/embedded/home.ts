/**
 * The folder of the embedded Postgres, and the user that it runs as.
 *
 * Postgres refuses to run as root. If root starts it, it runs as the user that its data already belongs to, otherwise
 * as `postgres` or, if there is none, as `nobody`. That user may be unable to reach the folder (a `DATA_DIR` below a
 * private home). On Linux it is then passed the open folder and names it through `/proc/self/fd`, so that no folder's
 * permissions are widened for it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { chown, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SettingError } from "@/platform/setting-error";

/** Users that any system has, the more suitable one first. */
const SERVICE_USERS = ["postgres", "nobody"];
const HANDED_FOLDER = "/proc/self/fd/3";

export interface SystemUser {
  uid: number;
  gid: number;
}

export interface Home {
  path: string;
  /** The same folder as Postgres's processes name it. */
  seenPath: string;
  /** The user that Postgres runs as; null means the user of this process. */
  user: SystemUser | null;
}

export function homePath(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** Creates the folder and gives it to the user that Postgres will run as. */
export async function adoptHome(dataDir: string): Promise<Home> {
  const path = homePath(dataDir);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const user = await chooseUser(path);
  if (!user) return { path, seenPath: path, user };
  await chown(path, user.uid, user.gid);
  return { path, seenPath: seenBy(user, path), user };
}

/** Starts a program of Postgres as its user, in an environment without the caller's `PG…` variables. */
export function spawnInHome(home: Home, program: string, args: string[], output: "pipe" | number): ChildProcess {
  const folder = home.seenPath === HANDED_FOLDER ? openSync(home.path, "r") : null;
  try {
    return spawn(program, args, {
      ...asUser(home.user),
      stdio: ["ignore", output, output, ...(folder === null ? [] : [folder])],
      detached: true,
    });
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

/** Returns options for running a program as this user, whatever the service's own folder and environment are. */
export function asUser(user: SystemUser | null) {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  return { ...(user ?? {}), cwd: "/", env };
}

async function chooseUser(path: string): Promise<SystemUser | null> {
  const owner = await stat(path);
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner.uid === self) return null;
    throw new SettingError(
      "DATA_DIR",
      `${path} belongs to another user (uid ${owner.uid}): start as that user, or choose another DATA_DIR.`,
    );
  }
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = SERVICE_USERS.map(findUser).find((found) => found !== null);
  if (user) return user;
  throw new SettingError(
    "DATABASE_URL",
    `not set, and the embedded Postgres refuses to run as root, while there is no user ${SERVICE_USERS.join(" or ")} to run it`,
  );
}

function findUser(name: string): SystemUser | null {
  const [uid, gid] = ["-u", "-g"].map((flag) => {
    const { status, stdout } = spawnSync("id", [flag, name], { encoding: "utf8" });
    return status === 0 ? Number(stdout.trim()) : Number.NaN;
  });
  if (uid === undefined || gid === undefined || !Number.isInteger(uid) || !Number.isInteger(gid)) return null;
  return { uid, gid };
}

function seenBy(user: SystemUser, path: string): string {
  if (spawnSync("test", ["-x", path], asUser(user)).status === 0) return path;
  if (process.platform === "linux") return HANDED_FOLDER;
  throw new SettingError(
    "DATA_DIR",
    `Postgres runs as uid ${user.uid}, which cannot access ${path}: choose another folder`,
  );
}
