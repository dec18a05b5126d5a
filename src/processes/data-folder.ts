/** Checks, before anything starts, that the service can write to `DATA_DIR`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingError } from "@/platform/setting-error";

/** A full disk does not prevent a start: it may have room again, and clicks that find none are counted as shed. */
const PASSING = new Set(["ENOSPC", "EDQUOT"]);

/** Throws a `SettingError` if clicks could not be stored in the folder. */
export function requireDataFolder(dataDir: string): void {
  const spool = join(dataDir, "spool");
  const probe = join(spool, `.written-by-${process.pid}`);
  try {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    writeFileSync(probe, "x");
    rmSync(probe);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (PASSING.has(code)) return;
    throw new SettingError(
      "DATA_DIR",
      `${spool} is not writable (${code}), and clicks are stored there; choose a folder that this user can write to`,
      { cause: error },
    );
  }
}
