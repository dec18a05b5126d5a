/**
 * Sets aside records that cannot be applied, so that they never block others: as JSON lines in one file next to the
 * spools, readable only by its owner. Each record is there at least once, and twice after a crash right after it was
 * written.
 *
 * A click of a link that does not exist can never be applied. It loses everything that the visitor sent. Other records
 * lose the address and the visitor id, which Postgres never receives either, and keep what may be the cause. Damaged
 * bytes stay as they are.
 *
 * Once the file exceeds 16 MB, it replaces its one predecessor and a new file begins: masses of such records
 * need a person anyway.
 */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ClickRecord, encodeRecord, withoutIdentity } from "../record";
import type { SpooledLine } from "../spool/segment-reader";

export type PoisonReason = "damaged" | "undecodable" | "unknown_link" | "foreign_link" | "refused";

export interface PoisonedRecord {
  reason: PoisonReason;
  /** The line from the spool, without what is not kept, or the damaged bytes in base64. */
  line: string;
  detail?: string;
}

/** A click whose link does not exist, or belongs to another organization. */
export const withoutLink = (record: ClickRecord, reason: "unknown_link" | "foreign_link"): PoisonedRecord => ({
  reason,
  line: encodeRecord({ ...record, ...NOTHING_SENT }),
});

const NOTHING_SENT = {
  address: "",
  userAgent: "",
  acceptLanguage: "",
  referrer: "",
  query: "",
  visitorId: undefined,
  hints: undefined,
  asked: undefined,
} satisfies Partial<ClickRecord>;

export const refused = (record: ClickRecord, { message }: Error): PoisonedRecord => ({
  reason: "refused",
  line: withoutIdentity(encodeRecord(record)),
  detail: message,
});

export const unread = ({ line, isWhole }: Pick<SpooledLine, "line" | "isWhole">): PoisonedRecord =>
  isWhole ? { reason: "undecodable", line: withoutIdentity(line) } : { reason: "damaged", line };

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
