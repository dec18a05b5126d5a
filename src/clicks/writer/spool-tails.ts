/**
 * Registers spools and opens their reading ends, and registers them again if Postgres was restored to an earlier
 * state.
 */
import { join } from "node:path";
import { isBefore, type Position } from "../spool/segment-reader";
import type { ClickDatabase } from "./click-database";
import { Registrar } from "./registrar";
import { readSpool } from "./registration";
import type { WriterReports } from "./reports";
import { GaveUpError } from "./retry";
import { SpoolTail, type SpoolTailOptions } from "./spool-tail";

export interface SpoolTailsOptions extends Pick<SpoolTailOptions, "targets" | "enrich"> {
  spoolsFolder: string;
  database: ClickDatabase;
  reports: WriterReports;
  retry<Result>(attempt: () => Promise<Result>): Promise<Result>;
  onFailure(error: unknown): void;
  /** Postgres is at an earlier state than this process knew, between two batches. */
  onRestored(): void;
}

export class SpoolTails {
  readonly #options: SpoolTailsOptions;
  readonly #registrar: Registrar;

  constructor(options: SpoolTailsOptions) {
    this.#options = options;
    const { database, retry, reports } = options;
    this.#registrar = new Registrar({
      database,
      retry,
      onCopy: (fields) => reports.log("warn", "spool was copied: applying the rest under a new id", fields),
    });
  }

  async open(spoolId: string, end: () => Position): Promise<SpoolTail> {
    const { spoolsFolder, database, targets, enrich, reports } = this.#options;
    const folder = join(spoolsFolder, spoolId);
    const { identity, applied } = await this.#registrar.register(folder);
    return new SpoolTail({
      name: spoolId,
      identity,
      folder,
      applied,
      end,
      targets,
      enrich,
      roundTripMs: () => database.roundTripMs,
      onPoison: (records) => reports.setAside(records),
      onTorn: (bytes) => reports.log("warn", "skipped the torn tail of a spool", { spoolId, bytes }),
      onDamage: (bytes) => reports.damaged(spoolId, bytes),
    });
  }

  async registerAgain(tail: SpoolTail, reached: Position): Promise<void> {
    const { identity, applied } = await this.#registrar.register(tail.folder, reached);
    this.#options.reports.log("warn", "spool registered again", { spoolId: tail.name, applied });
    tail.rewind(applied, identity);
  }

  /**
   * Checks whether Postgres was restored to an earlier state, which no batch would notice while no clicks arrive. If
   * so, the tail continues from there. Returns false if so, and true also if Postgres does not answer.
   */
  async check(tail: SpoolTail): Promise<boolean> {
    try {
      return await this.#follow(tail, await this.#stored(tail));
    } catch (error) {
      if (error instanceof GaveUpError) throw error;
      this.#options.onFailure(error);
      return true;
    }
  }

  /** Like `check`, but retries until Postgres answers, and returns whether it has all batches of the tail. */
  async confirm(tail: SpoolTail): Promise<boolean> {
    return this.#follow(tail, await this.#options.retry(() => this.#stored(tail)));
  }

  #stored({ identity }: SpoolTail): ReturnType<typeof readSpool> {
    const { database } = this.#options;
    return database.inTime(() => readSpool(database, identity.id));
  }

  /** Returns whether the tail is where Postgres is. */
  async #follow(tail: SpoolTail, row: Awaited<ReturnType<typeof readSpool>>): Promise<boolean> {
    const isOurs = row?.incarnation === tail.identity.incarnation;
    if (row && isOurs && !isBefore(row.applied, tail.applied)) return true;
    this.#options.onRestored();
    if (row && isOurs) tail.rewind(row.applied);
    else await this.registerAgain(tail, tail.applied);
    return false;
  }
}
