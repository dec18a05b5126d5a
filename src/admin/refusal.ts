/**
 * Explains to the operator why a command failed, in a sentence: what a wait, more room on a disk or a permission can change
 * is not ours to fix, so nobody needs its stack.
 */
import { missingPermission } from "@/platform/db/faults";
import { hindranceOf } from "@/platform/db/hindrance";
import { SettingError } from "@/platform/setting-error";
import { OutputError } from "./standard-output";

/** Returns what to print. An unexpected error stays an error, with its stack, because it is ours to fix. */
export function commandFailure(error: unknown): unknown {
  if (error instanceof SettingError || error instanceof OutputError) return error.message;
  const hindrance = hindranceOf(error);
  if (hindrance !== undefined) return hindrance;
  const refused = missingPermission(error);
  if (refused !== undefined) return `The database's user may not do this: ${refused}`;
  return error instanceof Error && "syscall" in error ? error.message : error;
}
