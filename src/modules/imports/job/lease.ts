/**
 * The lease of a job. Each step locks the job's row until it commits, and moves the cursor in the same transaction. A
 * holder that lost the lease, or whose job was cancelled, notices before it writes anything.
 */
import { and, eq, sql } from "drizzle-orm";
import type { ImportCounts } from "@/contract/links/imports";
import { imports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { type ImportJob, updateImport } from "../store";

export const LEASE_S = 60;
/**
 * Milliseconds between renewals of the lease: a small fraction of it. Hashing the password of any one record can take
 * longer.
 */
export const RENEW_MS = 500;

/** Another holder has taken over the job, or the job was cancelled. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const leasedUntil = sql`now() + ${LEASE_S} * interval '1 second'`;

export interface Step {
  cursor: number;
  progress: number;
  /** Added to the job's counts. */
  counts: ImportCounts;
}

export class Lease {
  cursor: number;
  #counts: ImportCounts;

  constructor(
    private readonly job: ImportJob,
    private readonly holder: string,
  ) {
    this.cursor = job.cursor;
    this.#counts = job.counts;
  }

  /** Locks the job's row until the transaction ends. Throws `LeaseLost`. */
  async hold(tx: Db): Promise<void> {
    if ((await this.#lock(tx)) !== this.cursor) throw this.#lost();
  }

  /**
   * Extends the lease, for long work outside a transaction that holds it. `progress` is that of work which is done again
   * after a restart, and makes none undone. Throws `LeaseLost`.
   */
  async renew(db: Db, progress = 0): Promise<void> {
    const [row] = await db
      .update(imports)
      .set({ leasedUntil, progress: sql`greatest(${imports.progress}, ${progress})` })
      .where(this.#isOurs())
      .returning({ cursor: imports.cursor });
    if (!row) throw this.#lost();
  }

  /** Must be called in the transaction that called `hold`. */
  async move(tx: Db, { cursor, progress, counts }: Step): Promise<void> {
    const summed = added(this.#counts, counts);
    await tx
      .update(imports)
      .set({ cursor, progress, counts: summed, attempts: 0, leasedUntil, updatedAt: sql`now()` })
      .where(eq(imports.id, this.job.id));
    this.cursor = cursor;
    this.#counts = summed;
  }

  /** Ends the job at whatever cursor it is: a step may have failed after it moved the cursor. Throws `LeaseLost`. */
  async end(db: Db, values: Partial<typeof imports.$inferInsert>): Promise<void> {
    await db.transaction(async (tx) => {
      if ((await this.#lock(tx)) === undefined) throw this.#lost();
      await updateImport(tx, this.job, { ...values, attempts: 0, leasedBy: null, leasedUntil: null });
    });
  }

  /** Leaves the job for any process to resume, after `waitMs` at the earliest. Throws `LeaseLost`. */
  pause = (db: Db, waitMs: number): Promise<void> => this.#leave(db, waitMs, { attempts: 0 });

  /** Does the same after an error of ours, and keeps counting the attempt. */
  retry = (db: Db, waitMs: number): Promise<void> => this.#leave(db, waitMs, {});

  async #leave(db: Db, waitMs: number, values: Partial<typeof imports.$inferInsert>): Promise<void> {
    const until = sql`now() + ${waitMs} * interval '1 millisecond'`;
    await db.transaction(async (tx) => {
      if ((await this.#lock(tx)) === undefined) throw this.#lost();
      await updateImport(tx, this.job, { ...values, status: "queued", leasedBy: null });
      await tx.update(imports).set({ leasedUntil: until }).where(eq(imports.id, this.job.id));
    });
  }

  /** Locks the row and returns its cursor, or undefined if the job is no longer ours. */
  async #lock(tx: Db): Promise<number | undefined> {
    const rows = await tx.select({ cursor: imports.cursor }).from(imports).where(this.#isOurs()).for("update");
    return rows[0]?.cursor;
  }

  #lost = () => new LeaseLost(`Import ${this.job.id} is no longer ours`);

  #isOurs = () => and(eq(imports.id, this.job.id), eq(imports.leasedBy, this.holder), eq(imports.status, "running"));
}

function added(one: ImportCounts, other: ImportCounts): ImportCounts {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
