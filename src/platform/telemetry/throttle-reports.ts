/**
 * Limits reports of what may happen thousands of times a second, and of what may last for hours. While it continues, it
 * is reported at once, then after an interval, and then after intervals that double up to `LONGEST_MS`. Once nothing has
 * been reported for an interval, it is over: the next report is the first one again.
 */
const LONGEST_MS = 600_000;

/** Returns milliseconds since any fixed moment, unaffected by changes to the machine's clock. */
export type Stopwatch = () => number;

const monotonic: Stopwatch = () => performance.now();

/** Calls `say` for the reports that are not left out, with `unsaid`, the number of those left out since the one before. */
export function throttleReports<Argument>(
  intervalMs: number,
  say: (argument: Argument, unsaid: number) => void,
  stopwatch = monotonic,
): (argument: Argument) => void {
  const isDue = growingIntervals(intervalMs, stopwatch);
  let unsaid = 0;
  return (argument) => {
    if (!isDue()) {
      unsaid++;
      return;
    }
    say(argument, unsaid);
    unsaid = 0;
  };
}

/** What it returns is called for each report, and tells whether it is due. */
export function growingIntervals(intervalMs: number, stopwatch = monotonic): () => boolean {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
  let waitMs = intervalMs;
  return () => {
    const now = stopwatch();
    const isFirst = now - reportedAt >= intervalMs;
    reportedAt = now;
    if (isFirst) waitMs = intervalMs;
    else if (now < dueAt) return false;
    dueAt = now + waitMs;
    waitMs = Math.min(2 * waitMs, Math.max(intervalMs, LONGEST_MS));
    return true;
  };
}
