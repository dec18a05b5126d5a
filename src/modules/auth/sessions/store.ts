/** Stores account sessions. A session is active until it expires or is revoked. */
import { and, count, desc, eq, gt, inArray, isNull, lte, ne, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { UserRow } from "@/platform/db/accounts/users";
import { memoizePerDb } from "@/platform/db/memoize-per-db";
import { memberships, sessions, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { maySessionReach, needsSso } from "../reach";

export type SessionRow = typeof sessions.$inferSelect;

export interface SessionOwner {
  userId: string;
  /** The organization whose identity provider opened it; null for a password session. */
  ssoOrgId: string | null;
}

const isInForce = (now: Date | Placeholder): SQL | undefined =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now));

export const insertSession = (db: Db, session: typeof sessions.$inferInsert) => db.insert(sessions).values(session);

/** Ends the oldest active sessions beyond `max`, among the user's own or among those that one provider opened. */
export const endOldest = (tx: Db, { userId, ssoOrgId }: SessionOwner, max: number, now: Date) =>
  tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      inArray(
        sessions.id,
        tx
          .select({ id: sessions.id })
          .from(sessions)
          .where(
            and(
              eq(sessions.userId, userId),
              ssoOrgId === null ? isNull(sessions.ssoOrgId) : eq(sessions.ssoOrgId, ssoOrgId),
              isInForce(now),
            ),
          )
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .offset(max),
      ),
    );

const sessionInForce = memoizePerDb((db) =>
  db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder("id")), isInForce(sql.placeholder("now"))))
    .limit(1)
    .prepare("session"),
);

/** Finds an active session and its user. Runs on every request, so Postgres parses and plans it once per connection. */
export async function findSession(
  db: Db,
  id: string,
  now: Date,
): Promise<{ session: SessionRow; user: UserRow } | undefined> {
  return (await sessionInForce(db).execute({ id, now }))[0];
}

/** Lists a user's active sessions, newest first. */
export async function listSessions(db: Db, userId: string, now: Date, page: number, limit: number) {
  const ofUser = and(eq(sessions.userId, userId), isInForce(now));
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(sessions)
      .where(ofUser)
      .orderBy(desc(sessions.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(sessions).where(ofUser),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Ends an active session of the user. Returns whether there was one. */
export async function revokeSession(db: Db, userId: string, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isInForce(now)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Ends all of a user's sessions except `keptId`. */
export const revokeSessions = (tx: Db, userId: string, now: Date, keptId?: string) =>
  tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), keptId ? ne(sessions.id, keptId) : undefined));

/** Records a use, unless one after `notedBefore` is already recorded. */
export const noteSessionUse = (db: Db, id: string, now: Date, notedBefore: Date) =>
  db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.id, id), or(isNull(sessions.lastUsedAt), lte(sessions.lastUsedAt, notedBefore))));

/** Returns the ids of those sessions that are active, belong to members of the organization and reach it. */
export async function findMemberSessions(db: Db, orgId: OrgId, ids: string[], now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: sessions.id, ssoOrgId: sessions.ssoOrgId, needsSso })
    .from(sessions)
    .innerJoin(memberships, eq(memberships.userId, sessions.userId))
    .where(and(eq(memberships.orgId, orgId), inArray(sessions.id, ids), isInForce(now)));
  const reaching = rows.filter(({ ssoOrgId, needsSso }) => maySessionReach(ssoOrgId, { orgId, needsSso }));
  return reaching.map(({ id }) => id);
}
