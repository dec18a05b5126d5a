/**
 * Turns of an organization. Whoever must not come between another's reading and writing (who counts and then adds one, who
 * reads figures and then corrects them) takes a turn first; others who take the same one wait until its transaction ends,
 * also when the process dies. Turns are taken in the order of this list, or two transactions could wait for each other: one
 * that is out of order throws, in whichever test comes by there.
 */
import { eq, sql } from "drizzle-orm";
import { organizations } from "./schema";
import type { Statements } from "./statements";
import type { Db } from "./tx";

export const TURNS = [
  /** Memberships, domains, bio pages, and what else goes by the organization's row, which it locks. */
  "organization",
  /** What plans bound: counted, then added to. */
  "links",
  "domains",
  "members",
  "apiKeys",
  "reports",
  "webhooks",
  /** What is changed of figures beside the click writers: verdicts, claims, erasures, mendings. */
  "figures",
] as const;
export type Turn = (typeof TURNS)[number];

const lastTurns = new WeakMap<object, number>();

/** `tx` is a transaction, at whose end the turn ends. A turn that is taken again is kept. */
export async function takeTurn(tx: Db, orgId: string, turn: Turn): Promise<void> {
  keepOrder(tx, turn);
  if (turn === "organization") {
    const own = eq(organizations.id, orgId);
    await tx.select({ id: organizations.id }).from(organizations).where(own).for("no key update");
  } else {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(orgId, turn)}, 0))`);
  }
}

/** `takeTurn(tx, orgId, "figures")`, for code that writes its SQL itself. */
export async function takeFiguresTurn(tx: Statements, orgId: string): Promise<void> {
  await tx.run("select pg_advisory_xact_lock(hashtextextended($1::text, 0))", [nameOf(orgId, "figures")]);
}

function keepOrder(tx: Db, turn: Turn): void {
  const [last = 0, place] = [lastTurns.get(tx), TURNS.indexOf(turn)];
  if (place < last) throw new Error(`The turn ${turn} was taken after ${TURNS[last]}`);
  lastTurns.set(tx, place);
}

const nameOf = (orgId: string, turn: Turn): string => `waymark ${turn} ${orgId}`;
