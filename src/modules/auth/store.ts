import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Role } from "@/contract/access";
import type { OrgId } from "@/core/ids";
import { memberships, sessions, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type UserRow = typeof users.$inferSelect;

export const findUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> =>
  (await db.select().from(users).where(eq(users.email, email)).limit(1))[0];

export const insertUser = (db: Db, user: typeof users.$inferInsert) => db.insert(users).values(user);

export const insertSession = (db: Db, session: typeof sessions.$inferInsert) => db.insert(sessions).values(session);

/** The user of a session that is neither expired nor revoked. */
export async function findSessionUser(db: Db, sessionId: string, now: Date): Promise<UserRow | undefined> {
  const rows = await db
    .select({ user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .limit(1);
  return rows[0]?.user;
}

export const revokeSession = (db: Db, sessionId: string, now: Date) =>
  db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)));

/** An organization's id counts as checked when it comes out of a membership. */
export async function findMembership(
  db: Db,
  userId: string,
  orgId: string,
): Promise<{ orgId: OrgId; role: Role } | undefined> {
  const rows = await db
    .select({ orgId: memberships.orgId, role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.orgId, orgId)))
    .limit(1);
  const row = rows[0];
  return row && { orgId: row.orgId as OrgId, role: row.role };
}

/** Those of the sessions that are neither expired nor revoked, of members of the organization. */
export async function findMemberSessions(db: Db, orgId: OrgId, ids: string[], now: Date): Promise<Set<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(memberships, eq(memberships.userId, sessions.userId))
    .where(
      and(
        eq(memberships.orgId, orgId),
        inArray(sessions.id, ids),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}
