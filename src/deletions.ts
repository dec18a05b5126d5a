/** The periodic jobs that delete what is no longer needed. */
import type { Sql } from "postgres";
import { forgetErased } from "@/clicks/erased-visits";
import { deleteExpired } from "@/clicks/retention";
import { ENTITLEMENTS } from "@/core/entitlements";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { deleteTagNotes } from "@/figures/columns/tag-notes";
import { deleteOldAuditLogs } from "@/modules/audit-logs/retention";
import { deleteOldSignIns } from "@/modules/auth/retention";
import { deleteUnusedIcons } from "@/modules/icons/retention";
import { deleteOldAnswers } from "@/modules/idempotency/retention";
import { deleteOldClaims } from "@/modules/match/retention";
import { deleteOldDeliveries } from "@/modules/webhooks/retention";
import type { Clock } from "@/platform/clock";
import { earlierTime } from "@/platform/db/earlier-time";
import type { Log } from "@/platform/telemetry/log";
import type { PeriodicJob } from "@/workers/periodic";

export interface TidyingOptions {
  sql: Sql;
  clock: Clock;
  log: Log;
}

const AUDIT_DAYS = Object.fromEntries(Object.entries(ENTITLEMENTS).map(([plan, { auditDays }]) => [plan, auditDays]));

const RETENTION_DAYS = Object.fromEntries(
  Object.entries(ENTITLEMENTS).map(([plan, { retentionDays }]) => [plan, retentionDays]),
);

export function deletions({ sql, clock, log }: TidyingOptions): PeriodicJob[] {
  const time = () => earlierTime(sql, clock);
  return [
    {
      name: "retention",
      everyMs: 6 * HOUR_MS,
      run: async (signal) => deleteExpired({ sql, log, now: await time(), retentionDays: RETENTION_DAYS, signal }),
    },
    {
      name: "expired sign-ins",
      everyMs: HOUR_MS,
      run: async (signal) => deleteOldSignIns({ sql, now: await time(), signal }),
    },
    {
      name: "old responses to repeated requests",
      everyMs: HOUR_MS,
      run: async (signal) => ({ deleted: await deleteOldAnswers({ sql, now: await time(), signal }) }),
    },
    {
      name: "erased visits",
      everyMs: HOUR_MS,
      run: async () => ({ forgotten: await forgetErased(sql) }),
    },
    {
      name: "notes of changed tags",
      everyMs: HOUR_MS,
      run: async () => ({ deleted: await deleteTagNotes(sql) }),
    },
    {
      name: "old audit entries",
      everyMs: DAY_MS,
      run: async (signal) => ({
        deleted: await deleteOldAuditLogs({ sql, now: await time(), auditDays: AUDIT_DAYS, signal }),
      }),
    },
    {
      name: "unused icons",
      everyMs: DAY_MS,
      run: async () => ({ deleted: await deleteUnusedIcons(sql, await time()) }),
    },
    {
      name: "spent match tokens",
      everyMs: DAY_MS,
      run: async (signal) => ({ deleted: await deleteOldClaims({ sql, now: await time(), signal }) }),
    },
    {
      name: "old webhook deliveries",
      everyMs: HOUR_MS,
      run: async (signal) => ({ deleted: await deleteOldDeliveries({ sql, now: await time(), signal }) }),
    },
  ];
}
