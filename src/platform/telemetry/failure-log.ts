/**
 * Logs each visit that could not be served under the request id that its response carries. During an outage or an
 * overload, all of them fail for the same reason: then the error itself, with its stack, is logged now and then, and the
 * other visits have a short line each. Otherwise a flood of visits would fill the disk on which clicks wait for
 * Postgres.
 */
import { unavailableReasonOf } from "@/platform/db/faults";
import { TooManyLoadsError } from "@/platform/link-cache/flights";
import type { Log } from "./log";
import { growingIntervals, type Stopwatch } from "./throttle-reports";

const IN_FULL_EVERY_MS = 10_000;

export type LogFailure = (requestId: string, error: unknown) => void;

export function createFailureLog(log: Pick<Log, "warn">, message: string, stopwatch?: Stopwatch): LogFailure {
  const isDueInFull = growingIntervals(IN_FULL_EVERY_MS, stopwatch);
  return (requestId, error) => {
    const reason = error instanceof TooManyLoadsError ? "busy" : unavailableReasonOf(error);
    if (reason === null || isDueInFull()) log.warn(message, { requestId, error });
    else log.warn(message, { requestId, reason });
  };
}
