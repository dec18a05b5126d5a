import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A full disk refuses nothing for good: it may have room again. */
const PASSING = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Creates the folder if there is none, and a file in it for a moment: permissions alone do not tell, for root above all.
 * Returns the code of the error with which the system refuses; undefined if it does not.
 */
export function refusedWrite(folder: string): string | undefined {
  const probe = join(folder, `.written-by-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(probe, "x");
    rmSync(probe);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (!PASSING.has(code)) return code;
    rmSync(probe, { force: true });
    return undefined;
  }
}
