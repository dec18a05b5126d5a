/**
 * The lease of a job: each step of it holds the job's row until it commits, and moves the cursor in the same transaction. Who
 * has lost the lease, or was cancelled, finds that out before it writes anything.
 */
import { and, eq, sql } from "drizzle-orm";
import type { ImportCounts } from "@/contract/links/imports";
import { imports } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { type ImportJob, updateImport } from "../store";

export const LEASE_S = 60;

/** The job is another's by now, or has been cancelled. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const leasedUntil = sql`now() + ${LEASE_S} * interval '1 second'`;

export interface Step {
  cursor: number;
  progress: number;
  /** To be added. */
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

  /** Throws `LeaseLost`. */
  async hold(tx: Db): Promise<void> {
    if ((await this.#lock(tx)) !== this.cursor) throw this.#lost();
  }

  /** For what takes long outside a transaction that holds it. Throws `LeaseLost`. */
  async renew(db: Db): Promise<void> {
    const [row] = await db
      .update(imports)
      .set({ leasedUntil })
      .where(this.#isOurs())
      .returning({ cursor: imports.cursor });
    if (!row) throw this.#lost();
  }

  /** In the transaction that holds it. */
  async move(tx: Db, { cursor, progress, counts }: Step): Promise<void> {
    const summed = added(this.#counts, counts);
    await tx
      .update(imports)
      .set({ cursor, progress, counts: summed, attempts: 0, leasedUntil, updatedAt: sql`now()` })
      .where(eq(imports.id, this.job.id));
    this.cursor = cursor;
    this.#counts = summed;
  }

  /** Wherever it stands: a step may have failed when it had moved. Throws `LeaseLost`. */
  async end(db: Db, values: Partial<typeof imports.$inferInsert>): Promise<void> {
    await db.transaction(async (tx) => {
      if ((await this.#lock(tx)) === undefined) throw this.#lost();
      await updateImport(tx, this.job, { ...values, attempts: 0, leasedBy: null, leasedUntil: null });
    });
  }

  /** For another one to go on with, no sooner than after `waitMs`. Throws `LeaseLost`. */
  pause = (db: Db, waitMs: number): Promise<void> => this.#leave(db, waitMs, { attempts: 0 });

  /** The same behind a fault of ours: the attempt counts. */
  retry = (db: Db, waitMs: number): Promise<void> => this.#leave(db, waitMs, {});

  async #leave(db: Db, waitMs: number, values: Partial<typeof imports.$inferInsert>): Promise<void> {
    const until = sql`now() + ${waitMs} * interval '1 millisecond'`;
    await db.transaction(async (tx) => {
      if ((await this.#lock(tx)) === undefined) throw this.#lost();
      await updateImport(tx, this.job, { ...values, status: "queued", leasedBy: null });
      await tx.update(imports).set({ leasedUntil: until }).where(eq(imports.id, this.job.id));
    });
  }

  /** Where it stands; undefined where it is no longer ours. */
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
