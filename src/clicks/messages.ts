/** What the main thread and the click worker say to each other. */
import type { VisitorRotation } from "@/platform/visitor";
import type { Position } from "./spool/segment-reader";

export interface WorkerSettings {
  databaseUrl: string;
  /** Absent: the one that comes as a package. */
  geoDatabase?: string;
  visitorSecret: Uint8Array;
  visitorRotation: VisitorRotation;
  /** The service's own origin; absent: http://localhost. */
  baseUrl?: string;
  /** Holds the folders of the spools, and what is set aside. */
  spoolsFolder: string;
  /** Our own spool, and how far it is written: a `CommitCell`. */
  spoolId: string;
  committed: SharedArrayBuffer;
  /** What applied segments may take beside those that wait. */
  keptBytesMax: number;
}

export type ToWorker =
  | { type: "start"; settings: WorkerSettings }
  /** A dead process has left it. */
  | { type: "adopt"; spoolId: string }
  /** To be answered once everything before `until` is applied. */
  | { type: "drain"; request: number; until: Position }
  /** Nothing that Postgres has said holds any more. */
  | { type: "forget" }
  /** Postgres is back. */
  | { type: "hurry" }
  /** Apply what can be applied until then, and stop. */
  | { type: "close"; until: Position; deadlineAt: number };

/** Since the worker began. */
export interface AppliedBatch {
  clicks: number;
  /** Measures a batch from its first statement to its commit. */
  tookMs: number;
}

export interface WorkerCounts {
  applied: number;
  /** Records set aside. */
  poisoned: number;
  /** Bytes of spools that the disk did not keep. */
  damagedBytes: number;
}

export type FromWorker =
  | { type: "ready" }
  | { type: "failed"; message: string }
  | ({ type: "progress"; batch?: AppliedBatch; lagMs: number; spoolId: string; position: Position } & WorkerCounts)
  | { type: "drained"; request: number }
  /** Nothing is left of an adopted spool. */
  | { type: "emptied"; spoolId: string }
  | { type: "closed" }
  | { type: "log"; level: "info" | "warn" | "error"; message: string; fields: Record<string, unknown> };

/**
 * How far the main thread has written, where the worker sees it without being told: segment and offset in one number, so
 * that they are never seen apart.
 */
export interface CommitCell {
  readonly shared: SharedArrayBuffer;
  get(): Position;
  set(segment: number, offset: number): void;
}

const OFFSET_BITS = 32n;
const OFFSET_MASK = (1n << OFFSET_BITS) - 1n;

export function createCommitCell(shared = new SharedArrayBuffer(8)): CommitCell {
  const cell = new BigInt64Array(shared);
  return {
    shared,
    get: () => {
      const value = Atomics.load(cell, 0);
      return { segment: Number(value >> OFFSET_BITS), offset: Number(value & OFFSET_MASK) };
    },
    set: (segment, offset) => {
      Atomics.store(cell, 0, (BigInt(segment) << OFFSET_BITS) | BigInt(offset));
    },
  };
}
