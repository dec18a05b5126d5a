/**
 * Records that cannot be applied, set aside so that they are never in the way: JSON lines in one file beside the spools,
 * readable by its owner alone. Each is there at least once, twice when a crash came right after. Past 16 MB the file
 * makes room for another, and one predecessor is kept: what is poisoned in masses is in need of a person anyway.
 */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

export type PoisonReason = "damaged" | "undecodable" | "unknown_link" | "foreign_link" | "refused";

export interface PoisonedRecord {
  reason: PoisonReason;
  /** As it stands in the spool; in base64 where it is damaged. */
  line: string;
  detail?: string;
}

const FILE_BYTES_MAX = 16 * 1024 * 1024;

const poisonPath = (spoolsFolder: string): string => join(spoolsFolder, "poison");

export function setAside(spoolsFolder: string, records: readonly PoisonedRecord[], now: Date): void {
  if (records.length === 0) return;
  const path = poisonPath(spoolsFolder);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > FILE_BYTES_MAX) renameSync(path, `${path}.before`);
  const lines = records.map((record) => `${JSON.stringify({ at: now.toISOString(), ...record })}\n`);
  appendFileSync(path, lines.join(""), { mode: 0o600, flush: true });
}
