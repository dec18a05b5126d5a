/**
 * Returns the unique or foreign-key constraint that a write violated, or undefined if it failed otherwise. Drizzle
 * wraps the errors of postgres.js.
 */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && (cause.code === "23505" || cause.code === "23503") && "constraint_name" in cause) {
      return String(cause.constraint_name);
    }
  }
  return undefined;
}

/** An organization was deleted after a request was let into it, or a job began for it. */
export class OrganizationDeleted extends Error {
  override name = "OrganizationDeleted";
}

/** On Citus, the names of its shards' constraints end with a number. */
const ORGANIZATION_REFERENCE = /_org_id_organizations_id_fk(_\d+)?$/;

/** Reports whether something could not be done because its organization was deleted meanwhile. */
export const isOrganizationDeleted = (error: unknown): boolean =>
  error instanceof OrganizationDeleted || ORGANIZATION_REFERENCE.test(violatedConstraint(error) ?? "");

/** Reports whether a lock could not be acquired within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "55P03") return true;
  }
  return false;
}

/** Invalid values, violated constraints, and transactions that wait for each other. */
const REFUSED = /^(2[23]\w{3}|40001|40P01|55P03)$/;

/** Reports whether Postgres refused a statement for what is in it or beside it: nothing of it was written. */
export function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return REFUSED.test(cause.code);
  }
  return false;
}

/** Reports whether a request's client disconnected before the request got a connection. */
export function isAbandoned(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "REQUEST_ABANDONED") return true;
  }
  return false;
}

/** Returns Postgres's words for a statement that its user may not run; undefined for every other failure. */
export function missingPermission(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "42501") return cause.message;
  }
  return undefined;
}

/**
 * Reports whether a row was on its way to a default partition when its own partition was created. A retry puts it
 * into the new one.
 */
export function isNewPartitionFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "23514" && "table_name" in cause) {
      // A check constraint of the table itself would be named.
      return !("constraint_name" in cause && cause.constraint_name) && DEFAULT_PARTITION.test(String(cause.table_name));
    }
  }
  return false;
}

/** On Citus, the names of its shards end with a number. */
const DEFAULT_PARTITION = /_default(_\d+)?$/;

/** Why Postgres cannot execute a valid statement now. */
export type UnavailableReason =
  | "away"
  | "busy"
  | "entangled"
  | "locked"
  | "read_only"
  | "full"
  | "cancelled"
  | "columns";

/**
 * Classifies errors by the codes of Postgres, postgres.js and the socket. `57P0x` is a server that is shutting down
 * or starting. Behind a pooler, a prepared statement may be unknown (`26000`), and a commit may be refused. A
 * statement is cancelled because it took too long, or by an operator. `CONNECTIONS_TAKEN` is that of our own queue,
 * `TAKES_TOO_LONG` that of visitors (`in-time`).
 */
const HINDRANCES: readonly [UnavailableReason, RegExp][] = [
  [
    "away",
    /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|EPIPE|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|COMMIT_REFUSED|26000|25P03|57P0\d|53300|08\w{3})$/,
  ],
  ["busy", /^(CONNECTIONS_TAKEN|TAKES_TOO_LONG)$/],
  ["entangled", /^(40001|40P01)$/],
  ["locked", /^55P03$/],
  ["read_only", /^25006$/],
  ["full", /^(53\d{3}|58030)$/],
  ["cancelled", /^57014$/],
];

/**
 * Whatever their codes: a name that cannot be resolved now, a machine without a route, or the socket's file, which a
 * Postgres that has ended takes with it.
 */
const REACHING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);

/**
 * Reports whether a statement tried to change rows in columnar storage (`citus/columnar`). The error has no code of
 * its own.
 */
export function isColumnarFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("not supported for ColumnarScan")) return true;
  }
  return false;
}

/**
 * Postgres ends a connection with such an error, or refuses to begin one: because the database takes none for now, was
 * renamed or dropped, or the password has been changed. None is due to a statement.
 */
const isOfConnection = (cause: Error): boolean => "severity" in cause && cause.severity === "FATAL";

/** Returns what kept Postgres from executing the statement, or null for every other failure. */
export function unavailableReasonOf(error: unknown): UnavailableReason | null {
  if (isColumnarFault(error)) return "columns";
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!("code" in cause) || typeof cause.code !== "string") continue;
    const { code } = cause;
    if ("syscall" in cause && REACHING.has(cause.syscall)) return "away";
    const found = HINDRANCES.find(([, codes]) => codes.test(code));
    if (found) return found[0];
    if (isOfConnection(cause)) return "away";
  }
  return null;
}

/**
 * Returns the level at which to log what failed and will be tried again, or can be. What keeps Postgres from its work is
 * no fault of that, and is reported where it is noticed.
 */
export const levelOfFailure = (error: unknown): "warn" | "error" =>
  unavailableReasonOf(error) === null ? "error" : "warn";
