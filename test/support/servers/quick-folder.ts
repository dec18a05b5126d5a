/**
 * A folder for what need not outlive the run: in memory where the machine has plenty, else on disk. Hundreds of databases
 * of hundreds of files each come and go, and a file system that keeps them on disk costs more than Postgres itself.
 */
import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. A container may have a very small one. */
const IN_MEMORY = "/dev/shm";
/** What the databases of a whole run may take, several times over. */
const FREE_BYTES_MIN = 6 * 1024 ** 3;

export async function makeQuickFolder(name = "waymark-test-"): Promise<string> {
  return mkdtemp(join((await hasPlenty()) ? IN_MEMORY : tmpdir(), name));
}

async function hasPlenty(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const free = await statfs(IN_MEMORY).catch(() => null);
  return free !== null && free.bavail * free.bsize >= FREE_BYTES_MIN;
}
