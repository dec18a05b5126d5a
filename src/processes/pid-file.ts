/** `DATA_DIR/waymark.pid`: whom to send a signal to. Of several services on one folder, the one that was started last. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@/platform/telemetry/log";

/** Whole or not at all. A folder that takes no file is no reason not to serve: whatever needs it says so itself. */
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
        // It is gone already.
      }
    },
  };
}
