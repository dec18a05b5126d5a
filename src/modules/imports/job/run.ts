/**
 * Runs imports: a process that claims a job finishes it, or leaves it to others where it stopped: also once its turn is
 * over, so that a long one does not keep all others waiting. What a dry run has planned is kept until its next turn
 * (`resting.ts`). A fault in the file ends the job and is shown to the customer; an error of ours leaves the job for
 * another attempt shortly afterwards. If a process dies, its job can be claimed once the lease expires.
 *
 * Bounds: one job per organization at a time, `BATCH_RECORDS` per transaction. A crash loses the current batch.
 */
import type { Tenant } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import type { Log } from "@/platform/telemetry/log";
import { fetchLinks } from "../api/fetch-links";
import type { FetchOptions } from "../api/fetch-state";
import type { OldAddressOptions } from "../old-addresses/ask-old";
import { budgetOf } from "../old-addresses/ask-rows";
import type { ImportJob } from "../store";
import { type BatchImporter, type BringInOptions, createBatchImporter, type JudgedBatch } from "./bring-in";
import { claimJob, IMPORT_ATTEMPTS_MAX } from "./claim";
import { giveUp, leaveFailed } from "./failure";
import { Lease, LeaseLost, RENEW_MS } from "./lease";
import type { ReadingJob } from "./read-dump";
import { type FileBatch, readFile } from "./read-file";
import { RestingDryRuns } from "./resting";
import { type RollBackOptions, rollBack } from "./roll-back";
import { beginTurn, NEXT_TURN_MS, type Turn } from "./turn";
import { type VerifyImportOptions, verifyImport } from "./verify";

const BATCH_RECORDS = 1_000;
/**
 * Applies even on a fast machine: a visitor waits if the kernel has just given the core to an import or to its
 * Postgres connection, and the longer an import rests, the less often that happens. A million links take at least four
 * minutes.
 */
const RECORDS_PER_SECOND_MAX = 4_000;
/** Records per batch of a verification that requests each old address. */
const ASKED_RECORDS = 20;

export interface ImportRunnerOptions extends BringInOptions, VerifyImportOptions, FetchOptions, OldAddressOptions {
  links: BringInOptions["links"] & RollBackOptions["links"];
  log: Log;
  /** Length of a turn. Tests shorten it. */
  sliceMs?: number;
}

export type ImportRunner = ReturnType<typeof createImportRunner>;

export function createImportRunner(options: ImportRunnerOptions) {
  const { db, log } = options;
  const holder = crypto.randomUUID();
  const resting = new RestingDryRuns<BatchImporter>();

  return {
    /**
     * Claims and runs one job: with `wanted`, that one or another of its organization. Resolves to false if there was
     * none to run. Rejects if Postgres is unreachable.
     */
    async runNext(signal: AbortSignal, wanted?: string): Promise<boolean> {
      const job = await claimJob(db, holder, wanted);
      if (!job) {
        resting.clear();
        return false;
      }
      const lease = new Lease(job, holder);
      try {
        if (job.attempts > IMPORT_ATTEMPTS_MAX) await giveUp(options, job, lease);
        else await run(job, lease, signal);
      } catch (error) {
        if (!(error instanceof LeaseLost)) await leaveFailed(options, job, lease, error);
      }
      return true;
    },
  };

  async function run(job: ImportJob, lease: Lease, signal: AbortSignal): Promise<void> {
    const waitMs = await work(job, lease, beginTurn(db, options.sliceMs), signal);
    if (waitMs !== undefined) return lease.pause(db, waitMs);
    if (signal.aborted) return lease.end(db, { status: "queued" });
    await lease.end(db, { status: "done", progress: 1, finishedAt: new Date(options.clock()) });
    log.info("import done", { importId: job.id, orgId: job.orgId, task: job.task, records: lease.cursor });
  }

  /** Returns how long to wait before continuing, or undefined at the end. */
  async function work(job: ImportJob, lease: Lease, turn: Turn, signal: AbortSignal): Promise<number | undefined> {
    const tenant: Tenant = { orgId: job.orgId, actor: job.actor };
    if (job.task === "rollback") return rollBack(options, job, lease, { tenant, turn }, signal);
    if (job.task === "verify") return verify(options, job, lease, turn, signal);
    const fetched = await fetchLinks(options, job, lease, signal);
    if ("waitMs" in fetched) return fetched.waitMs;
    const importer = resting.take(job.id, lease.cursor) ?? (await createBatchImporter(options, fetched.job, tenant));
    return bringAllIn(options.db, fetched.job, lease, { importer, turn, resting }, signal);
  }
}

interface Bringing {
  importer: BatchImporter;
  turn: Turn;
  resting: RestingDryRuns<BatchImporter>;
}

/**
 * Works in sequence, because judging one batch while Postgres writes another takes both cores of a small machine. Only
 * a machine that is too slow for `RECORDS_PER_SECOND_MAX` judges the next batch meanwhile, unless judging takes most of
 * the time, as hashing passwords does: what is judged is lost when the turn ends.
 */
async function bringAllIn(
  db: Drizzle,
  job: ImportJob,
  lease: Lease,
  { importer, turn, resting }: Bringing,
  signal: AbortSignal,
): Promise<number | undefined> {
  const batches = judgedBatches(db, job, lease, { importer, signal });
  const mayRest = () => !job.options.dryRun || resting.keep(job.id, importer);
  let ahead: Promise<IteratorResult<JudgedBatch, undefined>> | undefined;
  try {
    for (let mayJudgeAhead = false; ; ) {
      const startedAt = performance.now();
      const { value: batch } = await (ahead ?? batches.next());
      if (!batch || signal.aborted) return undefined;
      ahead = mayJudgeAhead ? batches.next() : undefined;
      // A fault in the next batch counts only after this one is stored.
      ahead?.catch(() => {});
      const writingAt = performance.now();
      await importer.bringIn(batch, lease);
      const [now, usualMs] = [performance.now(), (batch.records.length / RECORDS_PER_SECOND_MAX) * 1_000];
      mayJudgeAhead = now - startedAt > usualMs && now - writingAt > (now - startedAt) / 2;
      await Bun.sleep(startedAt + usualMs - now);
      if (batch.progress < 1 && (await turn.isOver()) && mayRest()) return NEXT_TURN_MS;
    }
  } finally {
    await ahead?.catch(() => {});
  }
}

/** Reads and judges the records that are to be imported or, in a dry run, planned: also those before the cursor again. */
async function* judgedBatches(
  db: Drizzle,
  job: ImportJob,
  lease: Lease,
  { importer: { judge, planned }, signal }: { importer: BatchImporter; signal: AbortSignal },
): AsyncGenerator<JudgedBatch, undefined> {
  const { cursor } = lease;
  const begun = job.options.dryRun ? planned() : cursor;
  for await (const batch of readFile(db, job, BATCH_RECORDS, keeping(db, lease, signal))) {
    for (const part of [recordsWithin(batch, begun, cursor), recordsWithin(batch, cursor, Number.POSITIVE_INFINITY)])
      if (part.records.length > 0) yield await judge(part, lease);
  }
}

/** Keeps the lease where much of a file is read without a record in it, or a batch takes long. */
function keeping(db: Drizzle, lease: Lease, signal: AbortSignal): ReadingJob {
  let renewedAt = performance.now();
  return {
    async goOn(progress) {
      if (signal.aborted) return false;
      if (performance.now() - renewedAt < RENEW_MS) return true;
      await lease.renew(db, progress);
      renewedAt = performance.now();
      return true;
    },
  };
}

/** Returns the records of the batch after `after`, up to `to`. */
function recordsWithin({ from, records, progress }: FileBatch, after: number, to: number): FileBatch {
  const begin = Math.max(from, after + 1);
  return { from: begin, records: records.slice(begin - from, Math.max(0, to + 1 - from)), progress };
}

function verify(options: ImportRunnerOptions, job: ImportJob, lease: Lease, turn: Turn, signal: AbortSignal) {
  const budget = budgetOf(job, options);
  const reading = keeping(options.db, lease, signal);
  const batches = readFile(options.db, job, budget ? ASKED_RECORDS : BATCH_RECORDS, reading);
  return verifyImport(options, job, lease, { batches, budget, turn, reading }, signal);
}
