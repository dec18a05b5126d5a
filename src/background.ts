/** Periodic work of the service: the nightly check of figures, and what retention deletes. */
import { deleteExpired } from "@/clicks/retention";
import { verifySample } from "@/clicks/verify-sample";
import { ENTITLEMENTS } from "@/core/entitlements";
import { DAY_MS, HOUR_MS } from "@/core/time-range";
import type { Clock } from "@/platform/clock";
import { openDatabase } from "@/platform/db/client";
import type { Log } from "@/platform/log";
import { type PeriodicJob, startPeriodic } from "@/workers/periodic";

export interface BackgroundOptions {
  databaseUrl: string;
  clock: Clock;
  log: Log;
}

const RETENTION_DAYS = Object.fromEntries(
  Object.entries(ENTITLEMENTS).map(([plan, { retentionDays }]) => [plan, retentionDays]),
);

/** Ends what is under way and lets its connections go. */
export function startBackground({ databaseUrl, clock, log }: BackgroundOptions): AsyncDisposable {
  const database = openDatabase(databaseUrl, { pool: "workers" });
  const { sql } = database;
  const jobs: PeriodicJob[] = [
    {
      name: "verify figures",
      everyMs: DAY_MS,
      run: async (signal) => ({ ...(await verifySample({ sql, log, now: clock(), random: Math.random, signal })) }),
    },
    {
      name: "retention",
      everyMs: 6 * HOUR_MS,
      run: (signal) => deleteExpired({ sql, log, now: clock(), retentionDays: RETENTION_DAYS, signal }),
    },
  ];
  const periodic = startPeriodic({ sql, log, jobs });
  return {
    async [Symbol.asyncDispose]() {
      await periodic.stop();
      await database.close();
    },
  };
}
