/**
 * The spools that this process has locked: its own, and those of dead processes until they are applied, kept for an
 * hour and removed.
 *
 * States of the latter: adopted (being applied) → kept → emptied (its folder can be removed) → removed. A kept one is
 * adopted again if Postgres was restored to an earlier state, and what it holds is deleted if the disk is full. What
 * the disk refuses is logged and tried again with the next `look`. It keeps neither the process from running nor other
 * spools from being adopted.
 *
 * Spools of another database are left to a process with that one. If it has everything, they are removed after the hour.
 *
 * Bounds: as many spools as dead processes left, one log line for each kind of fault in ten seconds, and one for each
 * spool of another database. A crash releases the locks, and the next process finds the folders again; of an emptied
 * one it applies nothing.
 */
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { deleteApplied } from "./housekeeping";
import { noteApplied, readClaim } from "./spool-claim";
import {
  type ClaimOptions,
  claimAbandoned,
  createSpoolFolder,
  removeSpoolFolder,
  type SpoolFolder,
  segmentsOf,
} from "./spool-folders";

export interface TakenSpoolsOptions {
  spoolsFolder: string;
  /** Identifies the database. */
  database: string;
  log: Log;
}

const FAULT_LOG_EVERY_MS = 10_000;

export class TakenSpools {
  /** The oldest that a dead process left, or a new one. */
  readonly own: SpoolFolder;
  readonly #options: TakenSpoolsOptions;
  readonly #adopted = new Map<string, SpoolFolder>();
  readonly #kept = new Set<SpoolFolder>();
  readonly #emptied = new Set<SpoolFolder>();
  /** Ids of logged spools of other databases. */
  readonly #foreign = new Set<string>();
  readonly #cannotAdopt: (error: unknown) => void;
  readonly #cannotRemove: (error: unknown) => void;
  readonly #claiming: ClaimOptions;

  /** Throws if there is no spool to be had. */
  constructor(options: TakenSpoolsOptions) {
    const { spoolsFolder, database, log } = options;
    const say = (message: string) =>
      throttleReports(FAULT_LOG_EVERY_MS, (error: unknown, unsaid) => log.error(message, { error, unsaid }));
    this.#options = options;
    this.#cannotAdopt = say("cannot adopt the spool of a dead process");
    this.#cannotRemove = say("cannot remove a spool that is applied");
    this.#claiming = { database, onFault: this.#cannotAdopt, onForeign: (folder) => this.#passBy(folder) };
    const [left] = claimAbandoned(spoolsFolder, { ...this.#claiming, countMax: 1 });
    this.own = left ?? createSpoolFolder(spoolsFolder, database);
  }

  /** Adopts what dead processes left, and returns the ids. Removes what could not be removed before. */
  look(): string[] {
    for (const folder of this.#emptied) this.#remove(folder);
    const found = this.#claimAll();
    for (const folder of found) {
      this.#options.log.info("adopted the spool of a dead process", { spoolId: folder.id });
      this.#adopted.set(folder.id, folder);
    }
    return found.map(({ id }) => id);
  }

  /** Notes whether an adopted spool is applied to its end. */
  kept(spoolId: string, isKept: boolean): void {
    const folder = this.#adopted.get(spoolId);
    if (folder && isKept) this.#kept.add(folder);
    else if (folder) this.#kept.delete(folder);
  }

  /** Deletes what is kept, because the disk is full. The folders stay until they are emptied. */
  deleteKept(now: number): void {
    for (const folder of this.#kept) {
      deleteApplied(folder.path, Infinity, 0, now);
      this.#kept.delete(folder);
    }
  }

  /** Removes an adopted spool of which nothing is left. */
  emptied(spoolId: string): void {
    const folder = this.#adopted.get(spoolId);
    if (!folder) return;
    this.#kept.delete(folder);
    this.#emptied.add(folder);
    this.#remove(folder);
  }

  /** Leaves what there is to the next process. `isApplied`: whether Postgres has all of the process's own spool. */
  release(isApplied: boolean): void {
    for (const { path } of [...this.#kept, ...(isApplied ? [this.own] : [])]) this.#note(path);
    for (const { lock } of [this.own, ...this.#adopted.values()]) lock.release();
  }

  #claimAll(): SpoolFolder[] {
    const ours = new Set([this.own.id, ...this.#adopted.keys()]);
    try {
      return claimAbandoned(this.#options.spoolsFolder, { ...this.#claiming, ours });
    } catch (error) {
      this.#cannotAdopt(error);
      return [];
    }
  }

  #passBy(folder: SpoolFolder): void {
    const { id, path } = folder;
    const { appliedBefore = 0 } = readClaim(path);
    deleteApplied(path, appliedBefore, Infinity, Date.now());
    const left = segmentsOf(folder).filter((segment) => segment.bytes > 0);
    if (left.length === 0) removeSpoolFolder(folder);
    const waiting = left.filter(({ sequence }) => sequence >= appliedBefore);
    if (waiting.length === 0 || this.#foreign.has(id)) return;
    this.#foreign.add(id);
    const bytes = waiting.reduce((sum, segment) => sum + segment.bytes, 0);
    this.#options.log.warn("left the clicks of another database alone", { spoolId: id, folder: path, bytes });
  }

  #note(path: string): void {
    try {
      noteApplied(path);
    } catch (error) {
      this.#options.log.error("cannot note that a spool is applied", { error, folder: path });
    }
  }

  #remove(folder: SpoolFolder): void {
    try {
      removeSpoolFolder(folder);
    } catch (error) {
      this.#cannotRemove(error);
      return;
    }
    this.#emptied.delete(folder);
    this.#adopted.delete(folder.id);
  }
}
