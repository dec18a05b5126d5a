/**
 * Locks of an organization. A transaction that reads and then writes by what it read (counts and adds one, reads figures
 * and corrects them) takes a lock first. Others that take the same lock wait until that transaction ends, which it also
 * does when its process dies. Locks are taken in the order of this list, or two transactions could wait for each other:
 * one out of order throws, in whichever test comes by.
 */
import { eq, sql } from "drizzle-orm";
import { organizations } from "./schema";
import type { Statements } from "./statements";
import type { Db } from "./tx";

export const LOCKS = [
  /** Memberships, domains, bio pages, and what else goes by the organization's row, which it locks. */
  "organization",
  /** What plans bound: counted, then added to. */
  "links",
  "domains",
  "members",
  "apiKeys",
  "reports",
  "webhooks",
  "exports",
  "imports",
  /** What is changed of figures beside the click writers: verdicts, claims, erasures, mendings. */
  "figures",
] as const;
export type Lock = (typeof LOCKS)[number];

const lastLocks = new WeakMap<object, number>();

/** `tx` is a transaction, at whose end the lock ends. A lock that is taken again is kept. */
export async function takeLock(tx: Db, orgId: string, lock: Lock): Promise<void> {
  keepOrder(tx, lock);
  if (lock === "organization") {
    const own = eq(organizations.id, orgId);
    await tx.select({ id: organizations.id }).from(organizations).where(own).for("no key update");
  } else {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(orgId, lock)}, 0))`);
  }
}

/** `takeLock(tx, orgId, "figures")`, for code that writes its SQL itself. */
export async function takeFiguresLock(tx: Statements, orgId: string): Promise<void> {
  await tx.run("select pg_advisory_xact_lock(hashtextextended($1::text, 0))", [nameOf(orgId, "figures")]);
}

function keepOrder(tx: Db, lock: Lock): void {
  const [last = 0, place] = [lastLocks.get(tx), LOCKS.indexOf(lock)];
  if (place < last) throw new Error(`The lock ${lock} was taken after ${LOCKS[last]}`);
  lastLocks.set(tx, place);
}

const nameOf = (orgId: string, lock: Lock): string => `waymark ${lock} ${orgId}`;
