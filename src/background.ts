/** Periodic work of the service: the nightly check of figures, what retention deletes, whose custom hosts still are. */
import { deleteExpired } from "@/clicks/retention";
import { verifyApart } from "@/clicks/verify-apart";
import { ENTITLEMENTS } from "@/core/entitlements";
import { DAY_MS, HOUR_MS } from "@/core/time-range";
import { deleteOldSignIns } from "@/modules/auth/retention";
import { createVerification, type VerificationOptions } from "@/modules/domains/verification";
import { deleteUnusedIcons } from "@/modules/icons/retention";
import type { SafetyChecker } from "@/modules/safety/service";
import { openDatabase } from "@/platform/db/client";
import { domainChecks } from "@/workers/domain-checks";
import { type PeriodicJob, startPeriodic } from "@/workers/periodic";
import { safetyChecks } from "@/workers/safety-checks";

export interface BackgroundOptions extends Omit<VerificationOptions, "db"> {
  databaseUrl: string;
  safety: Pick<SafetyChecker, "due" | "recheck" | "sweep">;
}

const RETENTION_DAYS = Object.fromEntries(
  Object.entries(ENTITLEMENTS).map(([plan, { retentionDays }]) => [plan, retentionDays]),
);

/** Ends what is under way and lets its connections go. */
export function startBackground(options: BackgroundOptions): AsyncDisposable {
  const { databaseUrl, clock, log } = options;
  const database = openDatabase(databaseUrl, { pool: "workers" });
  const { sql, db } = database;
  const jobs: PeriodicJob[] = [
    {
      name: "verify figures",
      everyMs: DAY_MS,
      run: (signal) => verifyApart({ databaseUrl, now: clock() }, log, signal),
    },
    {
      name: "retention",
      everyMs: 6 * HOUR_MS,
      run: (signal) => deleteExpired({ sql, log, now: clock(), retentionDays: RETENTION_DAYS, signal }),
    },
    {
      name: "old sign-ins",
      everyMs: HOUR_MS,
      run: (signal) => deleteOldSignIns({ sql, now: clock(), signal }),
    },
    {
      name: "unused icons",
      everyMs: DAY_MS,
      run: async () => ({ deleted: await deleteUnusedIcons(sql, clock()) }),
    },
    domainChecks({ ...createVerification({ ...options, db }), log }),
    safetyChecks({ ...options.safety, log }),
  ];
  const periodic = startPeriodic({ sql, log, jobs });
  return {
    async [Symbol.asyncDispose]() {
      await periodic.stop();
      await database.close();
    },
  };
}
