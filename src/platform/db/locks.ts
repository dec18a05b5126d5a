/**
 * Locks of an organization, and of a user's row. A transaction that writes according to what it has read (counts and
 * adds one, reads figures and corrects them) takes a lock first. Other transactions that take the same lock wait until
 * this one ends, which it also does when its process dies. Locks are taken in the order of this list, because two
 * transactions could otherwise wait for each other. Taking one out of order throws, so every test that does so shows
 * the mistake.
 */
import { eq, sql } from "drizzle-orm";
import { organizations } from "./schema";
import type { Statements } from "./statements";
import type { Db } from "./tx";

export const LOCKS = [
  /** Locks the organization's row, for memberships, domains, bio pages and whatever else depends on it. */
  "organization",
  /** A user's row, for whoever signs in, joins an organization, proves an address or gives it up. */
  "user",
  /** What plans limit: counted, then added to. */
  "links",
  "domains",
  "members",
  "apiKeys",
  "reports",
  "webhooks",
  "exports",
  "imports",
  /** Changes of figures that do not come from the click writers: verdicts, claims, erasures, repairs. */
  "figures",
] as const;
type Lock = (typeof LOCKS)[number];
export type OrganizationLock = Exclude<Lock, "user">;

const lastLocks = new WeakMap<object, number>();

/**
 * Takes a lock until the end of the transaction `tx`. Taking it again has no effect, unless a later one was taken
 * since, which throws.
 */
export async function takeLock(tx: Db, orgId: string, lock: OrganizationLock): Promise<void> {
  keepLockOrder(tx, lock);
  if (lock === "organization") {
    const own = eq(organizations.id, orgId);
    await tx.select({ id: organizations.id }).from(organizations).where(own).for("no key update");
  } else {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(orgId, lock)}, 0))`);
  }
}

/**
 * Bounds how long the transaction waits for each lock, of whatever kind; beyond that it fails (`isLockTimeout`). For
 * changes of figures, which click writers also lock.
 */
export const boundLockWaits = (tx: Statements): Promise<unknown> =>
  tx.run("select set_config('lock_timeout', $1::text, true)", [LOCK_WAIT]);

export const LOCK_WAIT = "5s";

/** Does the same as `takeLock(tx, orgId, "figures")`, for hand-written SQL, but does not check the order. */
export async function takeFiguresLock(tx: Statements, orgId: string): Promise<void> {
  await tx.run("select pg_advisory_xact_lock(hashtextextended($1::text, 0))", [nameOf(orgId, "figures")]);
}

/**
 * Checks the order. For stores that lock such a row themselves, as strongly as they need: call it before the statement.
 */
export function keepLockOrder(tx: Db, lock: Lock): void {
  const [last = 0, place] = [lastLocks.get(tx), LOCKS.indexOf(lock)];
  if (place < last) throw new Error(`Lock ${lock} must be taken before ${LOCKS[last]}`);
  lastLocks.set(tx, place);
}

const nameOf = (orgId: string, lock: Lock): string => `waymark ${lock} ${orgId}`;
