/**
 * The loop that applies spools to Postgres: this process's own, then those that dead processes left. Each pass
 * applies what waits, in batches, and prepares the next batch while one is being written. Passes start a quarter of a
 * second apart, because small batches cost Postgres more per click; a drain or a close ends the wait. What a dead
 * process left may take minutes, so clicks that arrive meanwhile go first: between any two of its batches.
 *
 * States: running → closing → closed. While Postgres is unreachable, nothing is lost and nothing else is done: the
 * current batch is retried until it succeeds. While closing, only the own spool is applied, the first failure ends
 * the loop, and the next start continues from there.
 */
import { FigureStore } from "@/figures/write/figure-store";
import { pause, unlessAborted } from "@/platform/db/connection/abortable";
import { Copies } from "@/platform/db/copies";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { visitorSecret } from "@/platform/visitor";
import type { Enrich } from "../enrich/enrich";
import { LinkTargetCache } from "../enrich/link-targets";
import { FORGET_SHARED_MARKS, type ShareMarks, shareThrough } from "../enrich/shared-marks";
import { type CommitCell, createCommitCell, type FromWorker, type WorkerSettings } from "../messages";
import { deleteApplied, markApplied } from "../spool/housekeeping";
import { isBefore, type Position } from "../spool/segment-reader";
import { AdoptedSpools } from "./adopted-spools";
import type { Batch } from "./batch";
import { BatchLoop } from "./batch-loop";
import { BatchWriter } from "./batch-writer";
import { ClickDatabase } from "./click-database";
import { PartitionKeeper } from "./partition-keeper";
import { WriterReports } from "./reports";
import { GaveUpError, Retries } from "./retry";
import type { SpoolTail } from "./spool-tail";
import { SpoolTails } from "./spool-tails";

export interface ClickApplierOptions {
  settings: WorkerSettings;
  /** `share` exchanges marks with the other servers. */
  enrichment(share: ShareMarks): Enrich;
  sendToMain(message: FromWorker): void;
}

/** Milliseconds from the start of one pass to the next. If there was no work, a click ends the wait. */
const PASS_EVERY_MS = 250;
/** The least time between two passes with work. */
const REST_MS = 25;
const HURRY_MS = 1;
const HOUSEKEEPING_EVERY_MS = 60_000;
const FAILURE_LOG_EVERY_MS = 10_000;

export class ClickApplier {
  readonly #settings: WorkerSettings;
  readonly #reports: WriterReports;
  readonly #database: ClickDatabase;
  readonly #copies = new Copies();
  readonly #batches: BatchLoop;
  readonly #tails: SpoolTails;
  readonly #adopted: AdoptedSpools;
  readonly #writer: BatchWriter;
  readonly #partitions: PartitionKeeper;
  readonly #stop = new AbortController();
  readonly #retries = new Retries(this.#stop.signal, (error) => this.#failed(error));
  #wakeUp = new AbortController();
  #closing: Position | undefined;
  #isFailing = false;
  readonly #sayFailed = throttleReports(FAILURE_LOG_EVERY_MS, (error: unknown) =>
    this.#reports.log("warn", "could not apply clicks; will retry", { error: String(error) }),
  );
  /** Times of this loop are by the monotonic clock, which nobody sets. */
  #keptHouseAt = Number.NEGATIVE_INFINITY;

  constructor({ settings, enrichment, sendToMain }: ClickApplierOptions) {
    this.#settings = settings;
    this.#reports = new WriterReports({ settings, sendToMain });
    this.#database = new ClickDatabase(settings.databaseUrl);
    const figures = new FigureStore((error) =>
      this.#reports.log("error", "unreadable visitor sketch was replaced with an empty one", { error: `${error}` }),
    );
    this.#copies.add(figures);
    this.#partitions = new PartitionKeeper({
      database: this.#database,
      onFailure: (error) => this.#failed(error),
      onLocked: (error) =>
        this.#reports.log("warn", "could not create partitions, since other sessions use the tables; will retry", {
          error: String(error),
        }),
    });
    this.#tails = new SpoolTails({
      spoolsFolder: settings.spoolsFolder,
      database: this.#database,
      reports: this.#reports,
      targets: new LinkTargetCache(() => this.#database.reader, this.#copies),
      enrich: enrichment(shareThrough((...asked) => this.#database.reader.unsafe(...asked, { prepare: true }))),
      retry: (attempt) => this.#retry(attempt),
      onFailure: (error) => this.#failed(error),
      onRestored: () => this.#copies.forget(),
    });
    this.#adopted = new AdoptedSpools({
      tails: this.#tails,
      reports: this.#reports,
      retryMs: settings.adoptEveryMs,
    });
    this.#writer = new BatchWriter({
      database: this.#database,
      figures,
      visitorSecret: visitorSecret(settings.visitorSecret, settings.visitorRotation),
      retries: this.#retries,
      onPoison: (records) => this.#reports.setAside(records),
      onFailure: (error) => this.#failed(error),
    });
    this.#batches = new BatchLoop({
      database: this.#database,
      figures,
      copies: this.#copies,
      writer: this.#writer,
      tails: this.#tails,
      baseUrl: settings.baseUrl,
      ownName: settings.spoolId,
      retry: (attempt) => this.#retry(attempt),
      onProgress: (...progress) => this.#progressed(...progress),
    });
  }

  /** Resolves when the applier is closed, and not before. */
  async run(): Promise<void> {
    let own: SpoolTail | undefined;
    try {
      const committed = createCommitCell(this.#settings.committed);
      own = await this.#tails.open(this.#settings.spoolId, committed.get);
      await this.#loop(own, committed);
    } catch (error) {
      if (!(error instanceof GaveUpError)) throw error;
    } finally {
      own?.close();
      await this.#database.close();
    }
  }

  adopt(spoolId: string): void {
    this.#adopted.adopt(spoolId);
    this.#wakeUp.abort();
  }

  /** Replies with `drained` once everything before `until` is applied. */
  drain(request: number, until: Position): void {
    this.#reports.drain(request, until);
    this.#wakeUp.abort();
  }

  forget(): void {
    this.#batches.forget();
    this.#adopted.forget();
    this.#wakeUp.abort();
  }

  /** Postgres is reachable again: retries immediately. Otherwise the next attempt could be seven seconds away. */
  retryNow(): void {
    this.#database.hurry();
    this.#retries.hurry();
  }

  close(until: Position, deadlineAt: number): void {
    this.#closing = until;
    this.#wakeUp.abort();
    if (this.#isFailing) this.#stop.abort();
    setTimeout(() => this.#stop.abort(), Math.max(0, deadlineAt - Date.now())).unref();
  }

  async #loop(own: SpoolTail, committed: CommitCell): Promise<void> {
    while (!this.#isClosedAfter(own)) {
      const startedAt = performance.now();
      const end = committed.get();
      await this.#partitions.keep(Date.now());
      const hasWorked = await this.#applyOwn(own);
      await this.#adopted.apply((tail) => this.#applyAdopted(own, tail));
      if (startedAt - this.#keptHouseAt >= HOUSEKEEPING_EVERY_MS) await this.#keepHouse(own, hasWorked);
      if (hasWorked || this.#isHurried) await this.#rest(startedAt);
      else await this.#unlessWoken(committed.untilPast(end, PASS_EVERY_MS));
    }
  }

  #isClosedAfter({ position }: SpoolTail): boolean {
    return this.#closing !== undefined && !isBefore(position, this.#closing);
  }

  async #applyOwn(own: SpoolTail): Promise<boolean> {
    const hasWorked = await this.#batches.apply(own);
    this.#reports.passedOver({ ...this.#appliedOf(own), position: own.position, lagMs: 0 });
    this.#reports.answerDrains(own.position);
    return hasWorked;
  }

  /** Rejects with `GaveUpError` once this process's own spool is applied and it is closing. */
  async #applyAdopted(own: SpoolTail, tail: SpoolTail): Promise<boolean> {
    const applyOwn = async () => {
      await this.#applyOwn(own);
      if (this.#isClosedAfter(own)) throw new GaveUpError("Closed before the spool of a dead process was applied.");
    };
    await applyOwn();
    return this.#batches.apply(tail, applyOwn);
  }

  #progressed(tail: SpoolTail, { clicks, from }: Batch, position: Position, tookMs: number): void {
    this.#isFailing = false;
    const now = Date.now();
    if (from.segment < position.segment)
      this.#reports.dispose(() => markApplied(tail.folder, from.segment, position.segment, now));
    const lagMs = now - (clicks[0]?.record.at ?? now);
    this.#reports.progress({ ...this.#appliedOf(tail), position, lagMs, batch: { clicks: clicks.length, tookMs } });
  }

  #appliedOf({ name }: SpoolTail): { spoolId: string; applied: number; batches: number } {
    const { applied, batches } = this.#writer;
    return { spoolId: name, applied, batches };
  }

  get #isHurried(): boolean {
    return this.#closing !== undefined || this.#reports.isDraining;
  }

  async #rest(startedAt: number): Promise<void> {
    const untilNext = Math.max(REST_MS, startedAt + PASS_EVERY_MS - performance.now());
    await this.#unlessWoken(pause(this.#isHurried ? HURRY_MS : untilNext, this.#wakeUp.signal));
  }

  /** Waits for `event`, or for a request of the main thread. */
  async #unlessWoken(event: Promise<unknown>): Promise<void> {
    const { signal } = this.#wakeUp;
    await unlessAborted(event, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) this.#wakeUp = new AbortController();
  }

  async #keepHouse(own: SpoolTail, hasWorked: boolean): Promise<void> {
    this.#keptHouseAt = performance.now();
    const now = Date.now();
    if (!hasWorked) await this.#tails.check(own);
    await this.#forgetMarks();
    this.#reports.tidySetAside(now);
    let keptBytesMax = this.#settings.keptBytesMax;
    this.#reports.dispose(() => {
      keptBytesMax -= deleteApplied(own.folder, own.position.segment, keptBytesMax, now);
    });
    await this.#adopted.keepHouse(keptBytesMax, now);
  }

  async #forgetMarks(): Promise<void> {
    try {
      await this.#database.inTime(() => this.#database.reader.unsafe(FORGET_SHARED_MARKS));
    } catch (error) {
      this.#failed(error);
    }
  }

  async #retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const result = await this.#retries.run(attempt);
    this.#isFailing = false;
    return result;
  }

  #failed(error: unknown): void {
    this.#isFailing = true;
    if (this.#closing) this.#stop.abort();
    this.#sayFailed(error);
  }
}
