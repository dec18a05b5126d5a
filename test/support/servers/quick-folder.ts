/**
 * Creates folders for files that need not outlive the run: in memory if the machine has enough, otherwise on disk.
 * Tests create and drop hundreds of databases of hundreds of files each, and on a disk the file system would cost
 * more than Postgres itself.
 */
import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's in-memory file system. In a container it may be very small. */
const IN_MEMORY = "/dev/shm";
/** Several times what the databases of a complete run may take. */
const FREE_BYTES_MIN = 6 * 1024 ** 3;

export async function makeQuickFolder(name = "waymark-test-"): Promise<string> {
  return mkdtemp(join((await hasPlenty()) ? IN_MEMORY : tmpdir(), name));
}

async function hasPlenty(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const free = await statfs(IN_MEMORY).catch(() => null);
  return free !== null && free.bavail * free.bsize >= FREE_BYTES_MIN;
}
