/**
 * Runs imports: whoever claims one does it to its end, or leaves it to others where it stopped. A job that fails says why; one
 * whose process dies is claimed by another once its lease has ended.
 *
 * Bounds: one job of an organization at a time, `BATCH_RECORDS` a transaction. A crash loses the batch under way.
 */
import { and, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { OrgId, Tenant } from "@/core/ids";
import { HttpError } from "@/http/errors";
import { toHttpError } from "@/http/wire";
import { imports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";
import { type FetchOptions, fetchLinks } from "../api/fetch-links";
import { FileFault } from "../file-fault";
import type { ImportJob } from "../store";
import { type BringInOptions, bringingIn } from "./bring-in";
import { LEASE_S, Lease, LeaseLost } from "./lease";
import { readFile } from "./read-file";
import { type RollBackOptions, rollBack } from "./roll-back";
import { type VerifyImportOptions, verifyImport } from "./verify";

const BATCH_RECORDS = 1_000;
const SHOWN_FAILURE = "It failed on our side; start it again, or quote its id";

export interface ImportRunnerOptions extends BringInOptions, VerifyImportOptions, FetchOptions {
  links: BringInOptions["links"] & RollBackOptions["links"];
  log: Log;
}

export type ImportRunner = ReturnType<typeof createImportRunner>;

export function createImportRunner(options: ImportRunnerOptions) {
  const { db, log } = options;
  const holder = crypto.randomUUID();

  return {
    /** Whether there was a job to do. Rejects when Postgres is away. */
    async runNext(signal: AbortSignal): Promise<boolean> {
      const job = await claimJob(db, holder);
      if (!job) return false;
      const lease = new Lease(job, holder);
      try {
        await run(job, lease, signal);
      } catch (error) {
        if (!(error instanceof LeaseLost)) await fail(job, lease, error);
      }
      return true;
    },
  };

  async function run(job: ImportJob, lease: Lease, signal: AbortSignal): Promise<void> {
    const tenant: Tenant = { orgId: job.orgId, actor: job.actor };
    if (job.task === "rollback") await rollBack(options, job, lease, tenant, signal);
    else if (job.task === "verify") await verifyImport(options, job, lease, readFile(db, job, BATCH_RECORDS), signal);
    else {
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
    // Postgres writes one batch while this process judges the next.
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of readFile(db, job, BATCH_RECORDS)) {
        const done = Math.min(batch.records.length, Math.max(0, begunAt - batch.from + 1));
        if (done > 0) await passOver({ ...batch, records: batch.records.slice(0, done) }, lease);
        if (done === batch.records.length) continue;
        const judged = await judge({ ...batch, from: batch.from + done, records: batch.records.slice(done) }, lease);
        await writing;
        if (signal.aborted) return;
        writing = bringIn(judged, lease);
        // It is awaited behind the next batch.
        writing.catch(() => {});
      }
    } finally {
      await writing;
    }
  }

  async function fail(job: ImportJob, lease: Lease, error: unknown): Promise<void> {
    if (toHttpError(error).status === 503) {
      // Another one goes on once the lease has ended.
      log.warn("an import waits for a dependency", { importId: job.id, error });
      return;
    }
    const isShown = error instanceof FileFault || (error instanceof HttpError && error.status < 500);
    if (!isShown) log.error("import failed", { importId: job.id, orgId: job.orgId, error });
    const shown = isShown ? error.message : SHOWN_FAILURE;
    await lease
      .end(db, { status: "failed", error: shown, finishedAt: new Date(options.clock()) })
      .catch((cause: unknown) => log.warn("could not end an import", { importId: job.id, error: cause }));
  }
}

/** The first job that nobody does, of an organization of which none is under way. */
async function claimJob(db: Db, holder: string): Promise<ImportJob | undefined> {
  const [row] = await db
    .update(imports)
    .set({
      status: "running",
      leasedBy: holder,
      leasedUntil: sql`now() + ${LEASE_S} * interval '1 second'`,
      updatedAt: sql`now()`,
    })
    .where(
      sql`${imports.id} = (
        select open.id from ${imports} as open
        where open.status in ('queued', 'running') and (open.leased_until is null or open.leased_until < now())
          and not exists (select 1 from ${imports} as other where other.org_id = open.org_id and other.id <> open.id
            and other.status = 'running' and other.leased_until > now())
        order by open.id limit 1 for update skip locked)`,
    )
    .returning();
  return row && { ...row, orgId: row.orgId as OrgId };
}

/** Whether there is a job that nobody does. */
export async function hasDueImports(db: Db): Promise<boolean> {
  const isFree = or(isNull(imports.leasedUntil), lt(imports.leasedUntil, sql`now()`));
  const where = and(inArray(imports.status, ["queued", "running"]), isFree);
  return (await db.select({ id: imports.id }).from(imports).where(where).limit(1)).length > 0;
}
