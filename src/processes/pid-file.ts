/**
 * `DATA_DIR/waymark.pid`: the process to send signals to. If several services use the folder, it is the one started
 * last.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/platform/telemetry/log";

/**
 * Writes the file completely or not at all; disposing of it deletes it. A folder that cannot be written to does not
 * prevent serving: whatever needs the folder reports that itself.
 */
export function writePidFile(dataDir: string, log: Log): Disposable {
  const path = join(dataDir, "waymark.pid");
  const content = `${process.pid}\n`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.${process.pid}`, content);
    renameSync(`${path}.${process.pid}`, path);
  } catch (error) {
    log.warn("could not write the pid file", { path, error });
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
