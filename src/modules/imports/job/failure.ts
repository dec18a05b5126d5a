/** Ends or postpones a job that failed. */
import { HttpError } from "@/http/errors";
import { toHttpError } from "@/http/wire";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Log } from "@/platform/telemetry/log";
import { FileFault } from "../file-fault";
import type { ImportJob } from "../store";
import type { Lease } from "./lease";

const RETRY_MS = 1_000;
const OUR_FAULT = "The import failed because of an error on our side. Start it again, or contact support with its id.";

interface FailureParts {
  db: Drizzle;
  clock: Clock;
  log: Log;
}

/**
 * Ends a job whose file is at fault. If a dependency is unavailable or the error is ours, the job is left to the next
 * attempt.
 */
export async function leaveFailed(parts: FailureParts, job: ImportJob, lease: Lease, error: unknown): Promise<void> {
  const { db, log } = parts;
  const isShown = error instanceof FileFault || (error instanceof HttpError && error.status < 500);
  if (isShown) return end(parts, job, lease, error.message);
  const said = { importId: job.id, orgId: job.orgId, attempt: job.attempts, error };
  if (toHttpError(error).status === 503) log.warn("an import waits for a dependency", said);
  else log.error("import failed, will retry", said);
  // If not even this can be written, another process resumes the job once the lease expires.
  await lease.retry(db, RETRY_MS * job.attempts).catch((cause: unknown) => sayUnwritten(log, job, cause));
}

export const giveUp = (parts: FailureParts, job: ImportJob, lease: Lease): Promise<void> =>
  end(parts, job, lease, OUR_FAULT);

const end = ({ db, clock, log }: FailureParts, job: ImportJob, lease: Lease, error: string): Promise<void> =>
  lease
    .end(db, { status: "failed", error, finishedAt: new Date(clock()) })
    .catch((cause: unknown) => sayUnwritten(log, job, cause));

const sayUnwritten = (log: Log, { id }: ImportJob, error: unknown): void =>
  log.warn("could not write how an import ended", { importId: id, error });
