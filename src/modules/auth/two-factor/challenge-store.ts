/** Stores sign-ins that wait for their second factor. */
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { loginChallenges } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const TRIES_MAX = 5;

export const insertChallenge = (db: Db, challenge: typeof loginChallenges.$inferInsert) =>
  db.insert(loginChallenges).values(challenge);

const isOpen = (id: string, userId: string, now: Date) =>
  and(
    eq(loginChallenges.id, id),
    eq(loginChallenges.userId, userId),
    isNull(loginChallenges.usedAt),
    gt(loginChallenges.expiresAt, now),
  );

/** Counts an attempt. Returns whether there was one left. */
export async function takeTry(db: Db, id: string, userId: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(loginChallenges)
    .set({ tries: sql`${loginChallenges.tries} + 1` })
    .where(and(isOpen(id, userId, now), lt(loginChallenges.tries, TRIES_MAX)))
    .returning({ id: loginChallenges.id });
  return rows.length > 0;
}

/** Closes a challenge. Returns whether it was still open: of several concurrent calls, only one closes it. */
export async function closeChallenge(tx: Db, id: string, userId: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(loginChallenges)
    .set({ usedAt: now })
    .where(isOpen(id, userId, now))
    .returning({ id: loginChallenges.id });
  return rows.length > 0;
}

/** Ends all of a user's challenges. */
export const endChallenges = (tx: Db, userId: string, now: Date) =>
  tx
    .update(loginChallenges)
    .set({ usedAt: now })
    .where(and(eq(loginChallenges.userId, userId), isNull(loginChallenges.usedAt)));
