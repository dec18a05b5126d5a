/**
 * Ownership of a spool folder. A file lock keeps the processes of one machine apart, but not those of a copied volume
 * that runs elsewhere. So each process that takes a folder adds an incarnation (a random id), registers it in
 * Postgres, and fences every batch with it. If a process finds a foreign incarnation in Postgres, the folder was
 * copied, or is itself the copy: what it has not applied continues under a new spool id. An incarnation that this
 * folder had earlier does not mean a copy: it belongs to the previous process, or Postgres was restored to an earlier
 * state. If it is unknown how far a folder is applied, applying starts too early rather than too late: clicks have a
 * primary key in Postgres, so those already there are left out.
 *
 * A claim also names the database that knows the links of the clicks, so that a process with another database in
 * `DATABASE_URL` leaves the folder alone.
 *
 * The file stores all of this. Bound: `INCARNATIONS_MAX`; the oldest are dropped first. The file is written whole
 * under another name and renamed, so a crash leaves the previous version.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { isUuid } from "@/core/ids";
import { isDiskFull, isMissing } from "./file-faults";
import { segmentSequences } from "./segment";
import type { Position } from "./segment-reader";

export interface SpoolClaim {
  /** The spool's id in Postgres: the folder's name, unless the folder was found to be a copy. */
  id: string;
  /**
   * Incarnations of the processes that have owned the folder, the newest last. At first it holds only the spool's id.
   */
  incarnations: readonly string[];
  /** Where applying begins if Postgres does not have the spool yet. */
  from: Position;
  /**
   * Segments from this number on were written after an incarnation was last registered in Postgres, so no copy holds
   * them.
   */
  ownFrom: number;
  /** Whether the newest incarnation is registered in Postgres. */
  isRegistered: boolean;
  /** The database that the clicks belong to. Absent until a process of this version takes the folder. */
  database?: string;
  /** Postgres had everything in segments with lower numbers when a process closed. */
  appliedBefore?: number;
}

export const SPOOL_START: Position = { segment: 0, offset: 0 };
const INCARNATIONS_MAX = 1_000;
const FILE_NAME = "claim.json";

export const newClaim = (id: string, from = SPOOL_START): SpoolClaim => ({
  ...{ id, from, ownFrom: 0 },
  incarnations: [id],
  isRegistered: false,
});

export const isOfAnother = ({ database }: SpoolClaim, ours: string): boolean =>
  database !== undefined && database !== ours;

/** Adds an incarnation for the process that has just locked the folder. */
export function renewClaim(folder: string, database: string): void {
  const claim = readClaim(folder);
  const incarnations = [...claim.incarnations, Bun.randomUUIDv7()].slice(-INCARNATIONS_MAX);
  const ownFrom = claim.isRegistered ? newestIn(folder) + 1 : claim.ownFrom;
  writeClaim(folder, { ...claim, incarnations, ownFrom, isRegistered: false, database });
}

/** Notes, for processes with another database, that Postgres has everything in the folder. */
export const noteApplied = (folder: string): void =>
  writeClaim(folder, { ...readClaim(folder), appliedBefore: newestIn(folder) + 1 });

const newestIn = (folder: string): number => segmentSequences(readdirSync(folder)).at(-1) ?? 0;

export function readClaim(folder: string): SpoolClaim {
  const fallback = newClaim(basename(folder));
  try {
    const claim: unknown = JSON.parse(readFileSync(join(folder, FILE_NAME), "utf8"));
    return isClaim(claim) ? claim : fallback;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return fallback;
    throw error;
  }
}

/**
 * Leaves the file unchanged if the disk is full; at worst, the folder is then applied from too early on. Waiting for
 * space would be a deadlock, because only applying frees it.
 */
export function writeClaim(folder: string, claim: SpoolClaim): void {
  try {
    write(join(folder, FILE_NAME), claim);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

function write(path: string, claim: SpoolClaim): void {
  const fd = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(fd, JSON.stringify(claim));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.new`, path);
}

function isClaim(value: unknown): value is SpoolClaim {
  if (typeof value !== "object" || value === null || !("incarnations" in value)) return false;
  if (!("from" in value && "ownFrom" in value && "isRegistered" in value)) return false;
  if ("database" in value && typeof value.database !== "string") return false;
  if ("appliedBefore" in value && typeof value.appliedBefore !== "number") return false;
  const { incarnations } = value;
  const isId = (text: unknown): boolean => typeof text === "string" && isUuid(text);
  return "id" in value && isId(value.id) && Array.isArray(incarnations) && incarnations.every(isId);
}
