/** The constraint a write ran into, or undefined when it failed otherwise. Drizzle wraps what postgres.js threw. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && (cause.code === "23505" || cause.code === "23503") && "constraint_name" in cause) {
      return String(cause.constraint_name);
    }
  }
  return undefined;
}

/** Whether a lock was not to be had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "55P03") return true;
  }
  return false;
}

/**
 * Whether a row was on its way to a default partition when the partition it belongs to was made: tried again, it finds its
 * place.
 */
export function isPartitionMade(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "23514" && "table_name" in cause) {
      // A check that a table has of itself is named.
      return !("constraint_name" in cause && cause.constraint_name) && String(cause.table_name).endsWith("_default");
    }
  }
  return false;
}
