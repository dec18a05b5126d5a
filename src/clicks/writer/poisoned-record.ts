/**
 * What is kept of a record that is set aside. A click of a link that does not exist can never be applied; it loses
 * everything that the visitor sent. Other records lose the address and the visitor id, which Postgres never receives
 * either, and keep what may be the cause. Damaged bytes stay as they are.
 */
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
