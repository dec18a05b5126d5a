/**
 * Runs a command so that it cannot write to a folder: as another user if we are root, and with the folder mounted
 * read-only in a mount namespace that ends with the command. Where the system allows no such namespace, root relies on
 * the other user, and other users remove the folder's write permissions.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The user `nobody`, on systems where it has a name. */
const UID = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const MOUNT = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
const AS_NOBODY = ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups", "--"];

/** Returns the words to put before the command. Throws if the folder stays writable. */
export function withoutWriteAccess(folder: string): string[] {
  const user = IS_ROOT ? AS_NOBODY : [];
  for (const namespace of [
    ["unshare", "-m"],
    ["unshare", "-r", "-m"],
  ]) {
    const before = [...namespace, "sh", "-c", MOUNT, "sh", folder, ...user];
    if (cannotWrite(before, folder)) return before;
  }
  if (!IS_ROOT) closeToWriting(folder);
  if (cannotWrite(user, folder)) return user;
  throw new Error(`Whoever runs the tests can write to ${folder} whatever is done about it`);
}

/** Makes the other user the owner of the folder. */
export function chownToNobody(folder: string): void {
  if (IS_ROOT) chownSync(folder, UID, UID);
}

function cannotWrite(before: string[], folder: string): boolean {
  const [program = "", ...args] = [...before, "sh", "-c", '[ -r "$1" ] && [ ! -w "$1" ]', "sh", folder];
  return spawnSync(program, args).status === 0;
}

function closeToWriting(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) closeToWriting(join(path, name));
  chmodSync(path, found.mode & 0o555);
}
