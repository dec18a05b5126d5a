/**
 * Periodic work: each job is done by one server at a time, the one that takes its lease (a row of `periodic_jobs`).
 * All servers look for due jobs once a minute. The lease is renewed while the job runs; if its holder dies, it
 * expires after five minutes and another server starts the job again, so jobs must tolerate being started again. A
 * new job is first due in an hour, or after its own interval if that is shorter.
 *
 * States of a job: waiting (until `due_at`) → leased → waiting. A job that fails is due again after `RETRY_MS`, or
 * its own interval if that is shorter. All times are the database's; one so far ahead that its clock must have been
 * wrong counts as past. Bounds: one of these jobs at a time; nothing is queued. `stop` aborts the current job's signal
 * and waits for the job, 5 s at most: an unresponsive Postgres must not hold up a shutdown.
 */
import type { Sql } from "postgres";
import { AHEAD_MS_MAX } from "@/platform/clock";
import { levelOfFailure } from "@/platform/db/faults";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

export interface PeriodicJob {
  name: string;
  everyMs: number;
  /** Ends early when the signal aborts, and may then reject. What it resolves with is logged. */
  run(signal: AbortSignal): Promise<Record<string, unknown>>;
}

export interface PeriodicOptions {
  sql: Sql;
  log: Log;
  jobs: readonly PeriodicJob[];
  /** Milliseconds between looks. Tests shorten it. */
  lookEveryMs?: number;
}

const LOOK_EVERY_MS = 60_000;
/** The random delay of the first look, so that servers started together do not look together. */
const FIRST_LOOK_MS_MAX = 15_000;
const LEASE_MS = 300_000;
const RENEW_EVERY_MS = 60_000;
const RETRY_MS = 900_000;
const FIRST_DUE_MS = 3_600_000;
const STOP_MS_MAX = 5_000;
/** While Postgres is unavailable, which is logged elsewhere, every look fails for every job. */
const SAY_EVERY_MS = 600_000;

export interface Periodic {
  /** May be called twice. */
  stop(): Promise<void>;
}

export function startPeriodic({ sql, log, jobs, lookEveryMs = LOOK_EVERY_MS }: PeriodicOptions): Periodic {
  const holder = crypto.randomUUID();
  const stopping = new AbortController();
  const cannotLook = throttleReports(SAY_EVERY_MS, ({ job, error }: { job: string; error: unknown }, unsaid) =>
    log.warn("could not look up a periodic job", { job, error, unsaid }),
  );
  let underWay: Promise<void> | undefined;

  const runDue = () => {
    underWay ??= doDue().finally(() => {
      underWay = undefined;
    });
  };
  async function doDue(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) return;
      await doOne(job).catch((error: unknown) => cannotLook({ job: job.name, error }));
    }
  }
  async function doOne(job: PeriodicJob): Promise<void> {
    if (!(await takeLease(sql, job, holder))) return;
    const renewing = setInterval(() => {
      renewLease(sql, job, holder).catch((error: unknown) =>
        log.warn("could not renew a lease", { job: job.name, error }),
      );
    }, RENEW_EVERY_MS);
    try {
      const outcome = await job.run(stopping.signal);
      log.info("periodic job done", { job: job.name, ...outcome });
      await endLease(sql, job, holder, stopping.signal.aborted ? 0 : job.everyMs);
    } catch (error) {
      const { aborted } = stopping.signal;
      if (aborted) log.info("periodic job interrupted", { job: job.name });
      else log[levelOfFailure(error)]("periodic job failed", { job: job.name, error });
      await endLease(sql, job, holder, aborted ? 0 : Math.min(RETRY_MS, job.everyMs));
    } finally {
      clearInterval(renewing);
    }
  }

  const first = setTimeout(runDue, Math.min(Math.random() * FIRST_LOOK_MS_MAX, lookEveryMs));
  const timer = setInterval(runDue, lookEveryMs);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(first);
      clearInterval(timer);
      await Promise.race([underWay, Bun.sleep(STOP_MS_MAX)]);
    },
  };
}

/** Takes the lease. Returns false if the job is not due or another server holds it. */
async function takeLease(sql: Sql, { name, everyMs }: PeriodicJob, holder: string): Promise<boolean> {
  await sql`
    insert into periodic_jobs (name, due_at) values (${name}, now() + ${milliseconds(Math.min(FIRST_DUE_MS, everyMs))}::interval)
    on conflict do nothing`;
  const taken = await sql`
    update periodic_jobs set leased_by = ${holder}, leased_until = now() + ${milliseconds(LEASE_MS)}::interval
    where name = ${name}
      and (due_at <= now() or due_at > now() + ${milliseconds(everyMs + AHEAD_MS_MAX)}::interval)
      and (leased_until is null or leased_until < now() or leased_until > now() + ${milliseconds(AHEAD_MS_MAX)}::interval)
    returning 1`;
  return taken.length > 0;
}

async function renewLease(sql: Sql, { name }: PeriodicJob, holder: string): Promise<void> {
  await sql`
    update periodic_jobs set leased_until = now() + ${milliseconds(LEASE_MS)}::interval
    where name = ${name} and leased_by = ${holder}`;
}

/** Ends the lease and sets the next due time. Does nothing if another server has taken the job over. */
async function endLease(sql: Sql, { name }: PeriodicJob, holder: string, nextMs: number): Promise<void> {
  await sql`
    update periodic_jobs set leased_by = null, leased_until = null, due_at = now() + ${milliseconds(nextMs)}::interval
    where name = ${name} and leased_by = ${holder}`;
}

const milliseconds = (ms: number) => `${ms} milliseconds`;
