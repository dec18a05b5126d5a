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
      return !("constraint_name" in cause && cause.constraint_name) && DEFAULT_PARTITION.test(String(cause.table_name));
    }
  }
  return false;
}

/** Its shards on Citus have a number behind their name. */
const DEFAULT_PARTITION = /_default(_\d+)?$/;

/** Why Postgres does not do now what it was rightly asked. */
export type Hindrance = "away" | "entangled" | "read_only" | "full" | "cancelled" | "columns";

/**
 * Classifies faults by the codes of Postgres, postgres.js and the socket. `57P0x` is a server going down or starting.
 * Behind a pooler a prepared statement may be unknown (`26000`), and a commit refused. What is cancelled has taken too
 * long, or an operator ended it.
 */
const HINDRANCES: readonly [Hindrance, RegExp][] = [
  [
    "away",
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|COMMIT_REFUSED|26000|25P03|57P0\d|53300|08\w{3})$/,
  ],
  ["entangled", /^(40001|40P01|55P03)$/],
  ["read_only", /^25006$/],
  ["full", /^(53\d{3}|58030)$/],
  ["cancelled", /^57014$/],
];

/** Whether rows were to be changed that are stored in columns (`citus/columnar`). The fault has no code of its own. */
export function isOfColumns(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("not supported for ColumnarScan")) return true;
  }
  return false;
}

/** Returns null for every other failure. */
export function hindranceOf(error: unknown): Hindrance | null {
  if (isOfColumns(error)) return "columns";
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!("code" in cause) || typeof cause.code !== "string") continue;
    const { code } = cause;
    const found = HINDRANCES.find(([, codes]) => codes.test(code));
    if (found) return found[0];
  }
  return null;
}
