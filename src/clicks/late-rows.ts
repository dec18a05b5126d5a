/**
 * Settles rows that count like clicks which reach Postgres after them: organization by organization, `ROWS_AT_ONCE` at a
 * time. Those that can be settled are, in one transaction under the organization's figures lock, as a verdict is. If that
 * lock is not available, the next run tries again. A crash loses the transaction in progress, which the next run repeats.
 */
import { DAY_MS } from "@/core/time/time-range";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { boundLockWaits, takeFiguresLock } from "@/platform/db/locks";
import { type Statements, statementsOn } from "@/platform/db/statements";

/** How long a row awaits its click. A click that comes even later has no influence. */
export const AWAITED_MS = 31 * DAY_MS;
export const ROWS_AT_ONCE = 500;

export interface LateOptions {
  db: Drizzle;
  now: number;
  /** Leaves out rows from before this time, in Unix milliseconds. */
  since?: number;
  /** Aborting it stops after the current transaction. */
  signal: AbortSignal;
}

/** Rows of one kind. */
export interface AwaitingRows<Row> {
  /** Returns the organizations that have some. */
  organizations(statements: Statements): Promise<string[]>;
  /** Returns those that follow `last`, `ROWS_AT_ONCE` at most. */
  next(statements: Statements, orgId: string, last: Row | undefined): Promise<Row[]>;
  /** Whether there is anything to settle: otherwise, nobody is made to wait for the lock. */
  canSettle(statements: Statements, orgId: string, rows: readonly Row[]): Promise<boolean>;
  /** Returns how many rows no longer await their clicks. */
  settle(tx: Statements, orgId: string, rows: readonly Row[]): Promise<number>;
}

/** `isComplete`: no lock was missing, and nothing was aborted. */
export async function settleRows<Row>(
  { db, signal }: Pick<LateOptions, "db" | "signal">,
  awaiting: AwaitingRows<Row>,
): Promise<{ settled: number; isComplete: boolean }> {
  let settled = 0;
  let isComplete = true;
  for (const orgId of await awaiting.organizations(statementsOn(db))) {
    if (signal.aborted) break;
    try {
      settled += await settleOrganization(db, orgId, awaiting, signal);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      isComplete = false;
    }
  }
  return { settled, isComplete: isComplete && !signal.aborted };
}

async function settleOrganization<Row>(
  db: Drizzle,
  orgId: string,
  { next, canSettle, settle }: AwaitingRows<Row>,
  signal: AbortSignal,
): Promise<number> {
  let settled = 0;
  for (let last: Row | undefined; !signal.aborted; ) {
    const rows = await next(statementsOn(db), orgId, last);
    last = rows.at(-1);
    if (last === undefined) break;
    if (await canSettle(statementsOn(db), orgId, rows))
      settled += await underFiguresLock(db, orgId, (tx) => settle(tx, orgId, rows));
  }
  return settled;
}

const underFiguresLock = (db: Drizzle, orgId: string, work: (tx: Statements) => Promise<number>): Promise<number> =>
  db.transaction(async (transaction) => {
    const tx = statementsOn(transaction);
    await boundLockWaits(tx);
    await takeFiguresLock(tx, orgId);
    return work(tx);
  });
