/**
 * The loop that brings spools into Postgres: our own, then those that dead processes left. Each pass applies what waits,
 * in batches, and prepares the next batch while one is on its way. Between passes it waits a quarter of a second, since
 * small batches cost Postgres more a click; a drain or a close ends the wait.
 *
 * States: running → closing → closed. While Postgres is away nothing is lost and nothing else is done: the batch in hand
 * is tried again until it goes through. Closing, the first failure ends it: the next start goes on from there.
 */

import { join } from "node:path";
import { FigureStore } from "@/figures/write/figure-store";
import { Copies } from "@/platform/db/copies";
import { visitorSecret } from "@/platform/visitor";
import type { Enrich } from "../enrich/enrich";
import { LinkTargetCache } from "../enrich/link-targets";
import { FORGET_SHARED_MARKS, type ShareMarks, shareThrough } from "../enrich/shared-marks";
import { type AppliedBatch, createCommitCell, type FromWorker, type WorkerSettings } from "../messages";
import { deleteApplied, markApplied } from "../spool/housekeeping";
import { isBefore, type Position, SPOOL_END } from "../spool/segment-reader";
import type { Batch } from "./batch";
import { BatchWriter } from "./batch-writer";
import { ClickDatabase } from "./click-database";
import { PartitionKeeper } from "./partition-keeper";
import { type PoisonedRecord, setAside } from "./poison";
import { Registrar } from "./registrar";
import { readSpool } from "./registration";
import { GaveUpError, pause, retry } from "./retry";
import { SpoolTail } from "./spool-tail";

export interface ClickApplierOptions {
  settings: WorkerSettings;
  /** `share` asks what all servers have noted. */
  enrichment(share: ShareMarks): Enrich;
  tell(message: FromWorker): void;
}

/** From one pass to the next where there is something to do, and between looks where there is not. */
const PASS_EVERY_MS = 250;
const LOOK_EVERY_MS = 25;
const HURRY_MS = 1;
const HOUSEKEEPING_EVERY_MS = 60_000;
const FAILURE_LOG_EVERY_MS = 10_000;

export class ClickApplier {
  readonly #settings: WorkerSettings;
  readonly #enrich: Enrich;
  readonly #tell: ClickApplierOptions["tell"];
  readonly #database: ClickDatabase;
  readonly #copies = new Copies();
  readonly #targets: LinkTargetCache;
  readonly #registrar: Registrar;
  readonly #writer: BatchWriter;
  readonly #partitions: PartitionKeeper;
  readonly #stop = new AbortController();
  #nap = new AbortController();
  #adopted: string[] = [];
  #drains: { request: number; until: Position }[] = [];
  #closing: Position | undefined;
  #poisoned = 0;
  #damagedBytes = 0;
  /** Of our own spool: how far the main thread was told it is applied. */
  #told: Position = { segment: 0, offset: 0 };
  #isFailing = false;
  #isToForget = false;
  #failureLoggedAt = 0;
  #keptHouseAt = 0;

  constructor({ settings, enrichment, tell }: ClickApplierOptions) {
    this.#settings = settings;
    this.#tell = tell;
    this.#database = new ClickDatabase(settings.databaseUrl);
    this.#enrich = enrichment(shareThrough((...asked) => this.#database.reader.unsafe(...asked)));
    this.#targets = new LinkTargetCache(() => this.#database.reader, this.#copies);
    const figures = new FigureStore((error) => this.#log("error", "visitor sketch restarted", { error: `${error}` }));
    this.#copies.add(figures);
    this.#partitions = new PartitionKeeper(this.#database, (error) => this.#failed(error));
    this.#registrar = new Registrar({
      database: this.#database,
      retry: (attempt) => this.#retry(attempt),
      onCopy: (fields) => this.#log("warn", "spool was copied: applying the rest under a new id", fields),
    });
    this.#writer = new BatchWriter({
      database: this.#database,
      figures,
      visitorSecret: visitorSecret(settings.visitorSecret, settings.visitorRotation),
      signal: this.#stop.signal,
      onPoison: (records) => this.#setAside(records),
      onFailure: (error) => this.#failed(error),
    });
  }

  /** Ends when it is closed, and only then. */
  async run(): Promise<void> {
    try {
      const { spoolId, committed } = this.#settings;
      const own = await this.#openTail(spoolId, createCommitCell(committed).get);
      await this.#loop(own);
    } catch (error) {
      if (!(error instanceof GaveUpError)) throw error;
    } finally {
      await this.#database.close();
    }
  }

  adopt(spoolId: string): void {
    this.#adopted.push(spoolId);
    this.#nap.abort();
  }

  /** Answered by `drained` once everything before `until` is applied. */
  drain(request: number, until: Position): void {
    this.#drains.push({ request, until });
    this.#nap.abort();
  }

  /** Done before the next batch, since the one under way goes by what it has found. */
  forget(): void {
    this.#isToForget = true;
  }

  close(until: Position, deadlineAt: number): void {
    this.#closing = until;
    this.#nap.abort();
    if (this.#isFailing) this.#stop.abort();
    setTimeout(() => this.#stop.abort(), Math.max(0, deadlineAt - Date.now())).unref();
  }

  async #loop(own: SpoolTail): Promise<void> {
    while (!this.#closing || isBefore(own.position, this.#closing)) {
      const startedAt = Date.now();
      await this.#partitions.keep(startedAt);
      const hasWorked = await this.#applyAll(own);
      // Stretches without a record are in no batch.
      if (isBefore(this.#told, own.position)) this.#tellProgress(own, own.position, 0);
      this.#answerDrains(own.position);
      await this.#applyAdopted();
      if (startedAt - this.#keptHouseAt >= HOUSEKEEPING_EVERY_MS) await this.#keepHouse(own, startedAt, hasWorked);
      await this.#rest(startedAt, hasWorked);
    }
    own.close();
  }

  /** Until the spool has no full batch any more. */
  async #applyAll(tail: SpoolTail): Promise<boolean> {
    let batch = await this.#prepare(tail);
    const hasWorked = batch !== undefined;
    while (batch) {
      if (this.#isToForget) {
        this.#isToForget = false;
        this.#copies.forget();
        tail.rewind(batch.from);
        batch = await this.#prepare(tail);
        if (!batch) break;
      }
      const startedAt = performance.now();
      let tookMs = 0;
      const applied = this.#writer.apply({ ...batch, baseUrl: this.#settings.baseUrl });
      const [position, next] = await Promise.all([
        applied.finally(() => {
          tookMs = performance.now() - startedAt;
        }),
        tail.isFull ? this.#prepare(tail) : undefined,
      ]);
      if (!position) {
        await this.#registerAgain(tail, batch.from);
        batch = await this.#prepare(tail);
        continue;
      }
      this.#progressed(tail, batch, position, tookMs);
      const isWhereExpected = position.segment === batch.to.segment && position.offset === batch.to.offset;
      if (!isWhereExpected) tail.rewind(position);
      batch = isWhereExpected ? next : undefined;
    }
    return hasWorked;
  }

  async #applyAdopted(): Promise<void> {
    for (const spoolId of this.#adopted.splice(0)) {
      const tail = await this.#openTail(spoolId, () => SPOOL_END);
      await this.#applyAll(tail);
      tail.close();
      this.#tell({ type: "emptied", spoolId });
    }
  }

  async #openTail(spoolId: string, end: () => Position): Promise<SpoolTail> {
    const folder = join(this.#settings.spoolsFolder, spoolId);
    const { identity, applied } = await this.#registrar.register(folder);
    return new SpoolTail({
      name: spoolId,
      identity,
      folder,
      applied,
      end,
      targets: this.#targets,
      enrich: this.#enrich,
      onPoison: (records) => this.#setAside(records),
      onTorn: (bytes) => this.#log("warn", "skipped the torn tail of a spool", { spoolId, bytes }),
      onDamage: (bytes) => {
        this.#damagedBytes += bytes;
        this.#log("error", "spool damaged on the disk: records may be lost", { spoolId, bytes });
      },
    });
  }

  async #registerAgain(tail: SpoolTail, reached: Position): Promise<void> {
    const { identity, applied } = await this.#registrar.register(tail.folder, reached);
    this.#log("warn", "spool registered again", { spoolId: tail.name, applied });
    tail.rewind(applied, identity);
  }

  /** A Postgres that was set back is not noticed by batches where no click comes. */
  async #confirm(tail: SpoolTail): Promise<void> {
    try {
      const row = await this.#database.inTime(() => readSpool(this.#database, tail.identity.id));
      if (row?.incarnation !== tail.identity.incarnation) await this.#registerAgain(tail, tail.applied);
      else if (isBefore(row.applied, tail.applied)) tail.rewind(row.applied);
    } catch (error) {
      if (error instanceof GaveUpError) throw error;
      this.#failed(error);
    }
  }

  #prepare(tail: SpoolTail): Promise<Batch | undefined> {
    return this.#retry(() => this.#database.inTime(() => tail.nextBatch()));
  }

  #progressed(tail: SpoolTail, { clicks, from }: Batch, position: Position, tookMs: number): void {
    this.#isFailing = false;
    const now = Date.now();
    if (from.segment < position.segment) markApplied(tail.folder, from.segment, position.segment, now);
    this.#tellProgress(tail, position, now - (clicks[0]?.record.at ?? now), { clicks: clicks.length, tookMs });
  }

  #tellProgress({ name }: SpoolTail, position: Position, lagMs: number, batch?: AppliedBatch): void {
    if (name === this.#settings.spoolId) this.#told = position;
    const counts = { applied: this.#writer.applied, poisoned: this.#poisoned, damagedBytes: this.#damagedBytes };
    this.#tell({ type: "progress", ...counts, batch, lagMs, spoolId: name, position });
  }

  #answerDrains(position: Position): void {
    const answered = this.#drains.filter(({ until }) => !isBefore(position, until));
    this.#drains = this.#drains.filter(({ until }) => isBefore(position, until));
    for (const { request } of answered) this.#tell({ type: "drained", request });
  }

  async #rest(startedAt: number, hasWorked: boolean): Promise<void> {
    const isHurried = this.#closing !== undefined || this.#drains.length > 0;
    const untilNext = hasWorked ? Math.max(LOOK_EVERY_MS, startedAt + PASS_EVERY_MS - Date.now()) : LOOK_EVERY_MS;
    await pause(isHurried ? HURRY_MS : untilNext, this.#nap.signal);
    if (this.#nap.signal.aborted) this.#nap = new AbortController();
  }

  async #keepHouse(own: SpoolTail, now: number, hasWorked: boolean): Promise<void> {
    this.#keptHouseAt = now;
    if (!hasWorked) await this.#confirm(own);
    await this.#forgetMarks();
    deleteApplied(own.folder, own.position.segment, this.#settings.keptBytesMax, now);
  }

  async #forgetMarks(): Promise<void> {
    try {
      await this.#database.inTime(() => this.#database.reader.unsafe(FORGET_SHARED_MARKS));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Where even that fails, the records are lost, and said to be: the others must go on. */
  #setAside(records: readonly PoisonedRecord[]): void {
    this.#poisoned += records.length;
    const { reason, detail } = records[0] ?? {};
    this.#log("error", "set clicks aside", { count: records.length, reason, detail });
    try {
      setAside(this.#settings.spoolsFolder, records, new Date());
    } catch (error) {
      this.#log("error", "could not set clicks aside", { count: records.length, error: String(error) });
    }
  }

  async #retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const result = await retry(attempt, this.#stop.signal, (error) => this.#failed(error));
    this.#isFailing = false;
    return result;
  }

  #failed(error: unknown): void {
    this.#isFailing = true;
    if (this.#closing) this.#stop.abort();
    const now = Date.now();
    if (now - this.#failureLoggedAt < FAILURE_LOG_EVERY_MS) return;
    this.#failureLoggedAt = now;
    this.#log("warn", "clicks are waiting for Postgres", { error: String(error) });
  }

  #log(level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>): void {
    this.#tell({ type: "log", level, message, fields });
  }
}
