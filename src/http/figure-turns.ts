/**
 * Lets the changes that requests make to the figures of one organization (claims, verdicts, erasures) take turns before
 * they begin a transaction. All of them need the lock on the figures, so more than `RUNNING_MAX` at a time would only
 * hold connections while they wait for it, and on a busy machine the last of them would wait longer than a lock may be
 * waited for.
 *
 * A lock that is not available in time is held by something else, such as click writers: those that wait for their turn
 * then fail with the one that waited for the lock, and not one after the other.
 *
 * Bounds, for each organization: `RUNNING_MAX`, `WAITING_MAX` and `WAIT_MS_MAX`. A crash loses what waits.
 */
import { figuresBusy } from "@/http/errors";
import { type Limited, limitConcurrency } from "@/platform/concurrency";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { boundLockWaits } from "@/platform/db/locks";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";

/** One that counts, and one that has done everything before it. */
const RUNNING_MAX = 2;
const WAITING_MAX = 1_000;
/** Most apps wait for an answer for that long. */
const WAIT_MS_MAX = 30_000;

interface Line {
  limited: Limited;
  /** Running and waiting. */
  changes: number;
  stuck: AbortController;
}

/** Runs a change in its own transaction, whose waits for locks are bounded. The change takes the lock itself. */
export type FiguresInTurn = <Result>(orgId: string, change: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** What it returns throws 503 if a lock is not available in time, to this change or to one before it. */
export function createFigureTurns(db: Drizzle): FiguresInTurn {
  const lines = new Map<string, Line>();
  return async (orgId, change) => {
    const line = lines.get(orgId) ?? createLine();
    lines.set(orgId, line);
    line.changes++;
    const waiting = waitIn(line);
    const begin = () => {
      waiting.end();
      return withinBounds(db, change).catch((error: unknown) => fail(line, error));
    };
    try {
      return await line.limited(begin, waiting.signal);
    } finally {
      waiting.end();
      if (--line.changes === 0) lines.delete(orgId);
    }
  };
}

const withinBounds = <Result>(db: Drizzle, change: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await boundLockWaits(statementsOn(tx));
    return change(tx);
  });

const createLine = (): Line => ({
  limited: limitConcurrency({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX, refusal: figuresBusy }),
  changes: 0,
  stuck: new AbortController(),
});

/** Returns a signal that aborts when the line is stuck or the wait has been long enough, unless `end` is called first. */
function waitIn({ stuck }: Line) {
  const waiting = new AbortController();
  const giveUp = () => waiting.abort(figuresBusy());
  const timer = setTimeout(giveUp, WAIT_MS_MAX);
  stuck.signal.addEventListener("abort", giveUp);
  const end = () => {
    clearTimeout(timer);
    stuck.signal.removeEventListener("abort", giveUp);
  };
  return { signal: waiting.signal, end };
}

/** Those that wait are rejected before the place of this one can be passed on to one of them. */
function fail(line: Line, error: unknown): never {
  if (!isLockTimeout(error)) throw error;
  line.stuck.abort();
  line.stuck = new AbortController();
  throw figuresBusy();
}
