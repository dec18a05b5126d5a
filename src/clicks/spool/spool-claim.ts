/**
 * Whose a spool is. A lock keeps processes of one machine apart; it says nothing of a volume that was copied, whose copy
 * runs elsewhere. So each process that takes a folder gives it an incarnation, which Postgres is told and every batch is
 * fenced with. Who finds another one there was copied, or is the copy: what it has not applied goes on under an id of its
 * own. An incarnation that the folder itself had before is no copy: the process before us, or a Postgres set back in time.
 * Where it is not known how far a folder was applied, it is applied from too early on: Postgres has each click once, by its
 * primary key, and what is there already is left out.
 *
 * The file holds all that. Bound: `INCARNATIONS_MAX`, the oldest go first. Written whole beside itself and renamed, so a
 * crash leaves the one before.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { isUuid } from "@/core/ids";
import { segmentSequences } from "./segment";
import type { Position } from "./segment-reader";

export interface SpoolClaim {
  /** The spool's id in Postgres: the folder's name, unless the folder was found to be a copy. */
  id: string;
  /** Of every process that has had it, the newest last. The first is the id itself. */
  incarnations: readonly string[];
  /** Where it begins, if Postgres does not know it yet. */
  from: Position;
  /** Segments from this one on were written since Postgres was last told of an incarnation: no copy holds them. */
  ownFrom: number;
  /** Whether Postgres was told of the newest. */
  isRegistered: boolean;
}

export const SPOOL_START: Position = { segment: 0, offset: 0 };
const INCARNATIONS_MAX = 1_000;
const FILE_NAME = "claim.json";

export const newClaim = (id: string, from = SPOOL_START): SpoolClaim => ({
  ...{ id, from, ownFrom: 0 },
  incarnations: [id],
  isRegistered: false,
});

/** The folder as it is for the process that has its lock from now on. */
export function renewClaim(folder: string): void {
  const claim = readClaim(folder);
  const incarnations = [...claim.incarnations, Bun.randomUUIDv7()].slice(-INCARNATIONS_MAX);
  const sequenceBefore = segmentSequences(readdirSync(folder)).at(-1) ?? 0;
  const ownFrom = claim.isRegistered ? sequenceBefore + 1 : claim.ownFrom;
  writeClaim(folder, { ...claim, incarnations, ownFrom, isRegistered: false });
}

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

/** A full disk leaves the folder as it was: applied too early on at the worst. Whoever waited for room would wait for itself. */
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
  const { incarnations } = value;
  const isId = (text: unknown): boolean => typeof text === "string" && isUuid(text);
  return "id" in value && isId(value.id) && Array.isArray(incarnations) && incarnations.every(isId);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";
const isDiskFull = (error: unknown): boolean => codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT";
