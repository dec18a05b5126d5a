/** Checks, before anything starts, that the service can write to `DATA_DIR`. */
import { join } from "node:path";
import { refusedWrite } from "@/platform/db/embedded/writable-folder";
import { SettingError } from "@/platform/setting-error";

/**
 * Throws a `SettingError` if clicks could not be stored in the folder. A full disk does not prevent a start: clicks that
 * find no room are counted as shed.
 */
export function requireDataFolder(dataDir: string): void {
  const spool = join(dataDir, "spool");
  const code = refusedWrite(spool);
  if (code === undefined) return;
  throw new SettingError(
    "DATA_DIR",
    `${spool} is not writable (${code}), and clicks are stored there; choose a folder that this user can write to`,
  );
}
