/**
 * Runs imports: whoever claims one does it to its end, or leaves it to others where it stopped. A file that is at fault ends its
 * job, which says why; a fault of ours leaves it for another attempt, a moment later. One whose process dies is claimed by
 * another once its lease has ended.
 *
 * Bounds: one job of an organization at a time, `BATCH_RECORDS` a transaction. A crash loses the batch under way.
 */
import type { Tenant } from "@/core/ids";
import type { Log } from "@/platform/telemetry/log";
import { type FetchOptions, fetchLinks } from "../api/fetch-links";
import type { OldAddressOptions } from "../old-addresses/ask-old";
import { budgetOf } from "../old-addresses/ask-rows";
import type { ImportJob } from "../store";
import { type BringInOptions, bringingIn } from "./bring-in";
import { claimJob, IMPORT_ATTEMPTS_MAX } from "./claim";
import { giveUp, leaveFailed } from "./failure";
import { Lease, LeaseLost } from "./lease";
import { readFile } from "./read-file";
import { type RollBackOptions, rollBack } from "./roll-back";
import { type VerifyImportOptions, verifyImport } from "./verify";

const BATCH_RECORDS = 1_000;
/**
 * Even on a fast machine: a visitor waits when the kernel has just given the core to an import or to its connection in
 * Postgres, which happens less often the longer an import rests. A million links take at least four minutes.
 */
const RECORDS_PER_SECOND_MAX = 4_000;
/** Of a verification that asks for each by itself. */
const ASKED_RECORDS = 20;

export interface ImportRunnerOptions extends BringInOptions, VerifyImportOptions, FetchOptions, OldAddressOptions {
  links: BringInOptions["links"] & RollBackOptions["links"];
  log: Log;
}

export type ImportRunner = ReturnType<typeof createImportRunner>;

export function createImportRunner(options: ImportRunnerOptions) {
  const { db, log } = options;
  const holder = crypto.randomUUID();

  return {
    /** Whether there was a job to do, or this one was. Rejects when Postgres is away. */
    async runNext(signal: AbortSignal, only?: string): Promise<boolean> {
      const job = await claimJob(db, holder, only);
      if (!job) return false;
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
    const tenant: Tenant = { orgId: job.orgId, actor: job.actor };
    if (job.task === "rollback") await rollBack(options, job, lease, tenant, signal);
    else if (job.task === "verify") {
      const waitMs = await verify(options, job, lease, signal);
      if (waitMs !== undefined) return lease.pause(db, waitMs);
    } else {
      const fetched = await fetchLinks(options, job, lease, signal);
      if ("waitMs" in fetched) return lease.pause(db, fetched.waitMs);
      await bringAllIn(fetched.job, lease, tenant, signal);
    }
    if (signal.aborted) return lease.end(db, { status: "queued" });
    await lease.end(db, { status: "done", progress: 1, finishedAt: new Date(options.clock()) });
    log.info("import done", { importId: job.id, orgId: job.orgId, task: job.task, records: lease.cursor });
  }

  async function bringAllIn(job: ImportJob, lease: Lease, tenant: Tenant, signal: AbortSignal): Promise<void> {
    const { judge, bringIn, passOver } = await bringingIn(options, job, tenant);
    const begunAt = lease.cursor;
    // One thing after the other: a batch that is judged while Postgres writes another takes both cores of a small machine.
    for await (const batch of readFile(db, job, BATCH_RECORDS)) {
      const startedAt = performance.now();
      const done = Math.min(batch.records.length, Math.max(0, begunAt - batch.from + 1));
      if (done > 0) await passOver({ ...batch, records: batch.records.slice(0, done) }, lease);
      if (done === batch.records.length) continue;
      const judged = await judge({ ...batch, from: batch.from + done, records: batch.records.slice(done) }, lease);
      if (signal.aborted) return;
      await bringIn(judged, lease);
      await Bun.sleep(startedAt + (judged.records.length / RECORDS_PER_SECOND_MAX) * 1_000 - performance.now());
    }
  }
}

function verify(options: ImportRunnerOptions, job: ImportJob, lease: Lease, signal: AbortSignal) {
  const budget = budgetOf(job, options);
  const batches = readFile(options.db, job, budget ? ASKED_RECORDS : BATCH_RECORDS);
  return verifyImport(options, job, lease, { batches, budget }, signal);
}
