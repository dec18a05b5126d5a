/** The messages between the main thread and the click worker. */
import type { VisitorRotation } from "@/platform/visitor";
import type { Position } from "./spool/segment-reader";

export interface WorkerSettings {
  databaseUrl: string;
  /** Path of the geolocation database. Absent: the one from the installed package. */
  geoDatabase?: string;
  visitorSecret: Uint8Array;
  visitorRotation: VisitorRotation;
  /** The service's own origin; absent: http://localhost. */
  baseUrl?: string;
  /** Contains the spools' folders and the file of records that were set aside. */
  spoolsFolder: string;
  /** This process's own spool. `committed` is the memory of its `CommitCell`. */
  spoolId: string;
  committed: SharedArrayBuffer;
  /** Milliseconds until a spool of a dead process that could not be applied is tried again. */
  adoptEveryMs: number;
  /** Bytes that applied segments may take, in addition to those that wait. */
  keptBytesMax: number;
}

export type ToWorker =
  | { type: "start"; settings: WorkerSettings }
  /** Apply a spool that a dead process left. */
  | { type: "adopt"; spoolId: string }
  /** Send `drained` once everything before `until` is applied. */
  | { type: "drain"; request: number; until: Position }
  /** Drop everything cached from Postgres: its history has changed. */
  | { type: "forget" }
  /** Postgres is reachable again: retry immediately. */
  | { type: "hurry" }
  /** Apply what can be applied until `deadlineAt`, then stop. */
  | { type: "close"; until: Position; deadlineAt: number };

/** A batch that was committed. */
export interface AppliedBatch {
  clicks: number;
  /** Milliseconds from the first attempt to the last commit, retries included. */
  tookMs: number;
}

export interface WorkerCounts {
  applied: number;
  /** Transactions that wrote clicks or opens. */
  batches: number;
  /** Records set aside because they could not be applied. */
  poisoned: number;
  /** Bytes of spool data that the disk corrupted or lost. */
  damagedBytes: number;
}

export type FromWorker =
  | { type: "ready" }
  | { type: "failed"; message: string }
  | ({ type: "progress"; batch?: AppliedBatch; lagMs: number; spoolId: string; position: Position } & WorkerCounts)
  | { type: "drained"; request: number }
  /** Whether an adopted spool is applied to its end, so that its segments are kept only as a precaution. */
  | { type: "kept"; spoolId: string; isKept: boolean }
  /** Nothing is left of an adopted spool. */
  | { type: "emptied"; spoolId: string }
  | { type: "closed" }
  | { type: "log"; level: "info" | "warn" | "error"; message: string; fields: Record<string, unknown> };

/**
 * Shares with the worker how far the main thread has written, without messages. Segment and offset are packed into
 * one number, so that the worker never sees one without the other.
 */
export interface CommitCell {
  readonly shared: SharedArrayBuffer;
  get(): Position;
  set(segment: number, offset: number): void;
  /** Resolves once the position is another than the given one, and after `waitMs` at the latest. */
  untilPast(position: Position, waitMs: number): Promise<unknown>;
}

const OFFSET_BITS = 32n;
const OFFSET_MASK = (1n << OFFSET_BITS) - 1n;

export function createCommitCell(shared = new SharedArrayBuffer(8)): CommitCell {
  const cell = new BigInt64Array(shared);
  const packed = (segment: number, offset: number) => (BigInt(segment) << OFFSET_BITS) | BigInt(offset);
  return {
    shared,
    get: () => {
      const value = Atomics.load(cell, 0);
      return { segment: Number(value >> OFFSET_BITS), offset: Number(value & OFFSET_MASK) };
    },
    set: (segment, offset) => {
      Atomics.store(cell, 0, packed(segment, offset));
      Atomics.notify(cell, 0);
    },
    untilPast: async ({ segment, offset }, waitMs) => Atomics.waitAsync(cell, 0, packed(segment, offset), waitMs).value,
  };
}
