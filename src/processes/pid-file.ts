/**
 * `DATA_DIR/waymark.pid`: the process to send signals to. If several services use the folder, it is the one started
 * last.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/platform/telemetry/log";

/**
 * Writes the file completely or not at all; disposing of it deletes it. A folder that cannot be written to does not
 * prevent serving: whatever needs the folder reports that itself. There is then no file, rather than that of a process
 * that was killed: its number may be another process's by now.
 */
export function writePidFile(dataDir: string, log: Log): Disposable {
  const path = join(dataDir, "waymark.pid");
  const unfinished = `${path}.${process.pid}`;
  const content = `${process.pid}\n`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  } catch (error) {
    log.warn("could not write the pid file", { path, error });
    for (const left of [unfinished, path]) removeIfAllowed(left);
  }
  return {
    [Symbol.dispose]() {
      try {
        if (readFileSync(path, "utf8") === content) rmSync(path);
      } catch {
        // It is already gone.
      }
    },
  };
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder takes no changes at all, which was just logged.
  }
}
