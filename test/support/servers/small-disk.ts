/**
 * Gives a process and its children a disk of a few megabytes: a tmpfs in its own mount namespace, which ends with the
 * process, so that nothing stays mounted. Needs root, or a system that lets users create namespaces.
 */
import { spawnSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MOUNT = 'mount -t tmpfs -o size="$1",mode=700 waymark "$2" && shift 2 && exec "$@"';
const MEGABYTE = 1024 * 1024;

/** Returns the words to put before a command to make the existing `folder` such a disk. Throws if impossible. */
export function onSmallDisk(folder: string, megabytes: number): string[] {
  const tried: string[] = [];
  for (const namespace of [
    ["unshare", "-m"],
    ["unshare", "-r", "-m"],
  ]) {
    const before = [...namespace, "sh", "-c", MOUNT, "sh", `${megabytes}m`, folder];
    const [program = "", ...args] = [...before, "true"];
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
    if (status === 0) return before;
    tried.push(`${namespace.join(" ")}: ${error?.message ?? stderr.trim()}`);
  }
  throw new Error(`A small disk needs root or user namespaces, on Linux.\n${tried.join("\n")}`);
}

/** Whether this system gives us small disks. */
export function hasSmallDisks(): boolean {
  try {
    onSmallDisk(tmpdir(), 1);
    return true;
  } catch {
    return false;
  }
}

/** Fills the remaining space on the process's disk. `free` releases it. */
export async function fillDisk(pid: number, folder: string): Promise<{ free(): Promise<void> }> {
  // The process's own view of the file system, because the disk is mounted only there.
  const path = join(`/proc/${pid}/root`, folder, "filler");
  const file = await open(path, "wx");
  const chunk = new Uint8Array(MEGABYTE);
  try {
    for (;;) await file.write(chunk);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    await file.close();
  }
  return { free: () => rm(path) };
}
