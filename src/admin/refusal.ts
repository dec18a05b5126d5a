/**
 * Explains to the operator why a command failed, in a sentence: what a wait, more room on a disk or a permission can change
 * is not ours to fix, so nobody needs its stack.
 */
import { missingPermission, type UnavailableReason, unavailableReasonOf } from "@/platform/db/faults";
import { SettingError } from "@/platform/setting-error";
import { OutputError } from "./standard-output";

const HINDERED: Record<UnavailableReason, string> = {
  away: "Postgres became unavailable",
  busy: "Postgres has no connection left",
  entangled: "Another transaction was in the way, so run the command again",
  read_only: "Postgres accepts no writes",
  full: "Postgres is out of space or memory",
  cancelled: "Postgres cancelled a statement",
  columns: "Some of these clicks are in a month that is stored in columns",
};

/** Returns what to print. An unexpected error stays an error, with its stack, because it is ours to fix. */
export function commandFailure(error: unknown): unknown {
  if (error instanceof SettingError || error instanceof OutputError) return error.message;
  const reason = unavailableReasonOf(error);
  if (reason !== null) return `${HINDERED[reason]}: ${rootMessageOf(error)}`;
  const refused = missingPermission(error);
  if (refused !== undefined) return `The database's user may not do this: ${refused}`;
  return error instanceof Error && "syscall" in error ? error.message : error;
}

/** Drizzle wraps the errors of postgres.js, in a message that contains the whole statement. */
function rootMessageOf(error: unknown): string {
  let message = String(error);
  for (let cause = error; cause instanceof Error; cause = cause.cause) message = cause.message;
  return message;
}
