import { and, eq, not, sql } from "drizzle-orm";
import type { Role } from "@/contract/accounts/access";
import type { Plan } from "@/contract/accounts/plans";
import type { OrgId } from "@/core/ids";
import { isMadeBySso } from "@/platform/db/accounts/sso-members";
import type { UserRow } from "@/platform/db/accounts/users";
import { keepLockOrder } from "@/platform/db/locks";
import { memoizePerDb } from "@/platform/db/memoize-per-db";
import { memberships, organizations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { needsSso } from "./reach";

/** Returns the user with a share lock: nobody changes the row before the caller's transaction ends. */
export async function findUserForShare(tx: Db, id: string): Promise<UserRow | undefined> {
  keepLockOrder(tx, "user");
  return (await tx.select().from(users).where(eq(users.id, id)).for("share"))[0];
}

/** Does nothing if the password was changed in the meantime. */
export const replacePasswordHash = (db: Db, id: string, from: string, to: string) =>
  db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));

export const insertUser = (db: Db, user: typeof users.$inferInsert) => db.insert(users).values(user);

const membershipOf = memoizePerDb((db) =>
  db
    .select({ orgId: memberships.orgId, role: memberships.role, plan: organizations.plan, needsSso })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(and(eq(memberships.userId, sql.placeholder("userId")), eq(memberships.orgId, sql.placeholder("orgId"))))
    .limit(1)
    .prepare("membership"),
);

/**
 * Returns the user's membership; the organization id in it counts as checked. Runs on every request, so Postgres
 * parses and plans it once per connection.
 */
export async function findMembership(
  db: Db,
  userId: string,
  orgId: string,
): Promise<{ orgId: OrgId; role: Role; plan: Plan; needsSso: boolean } | undefined> {
  const [row] = await membershipOf(db).execute({ userId, orgId });
  return row && { ...row, orgId: row.orgId as OrgId };
}

/** Lists the organizations the user joined, without those whose identity provider made them a member. */
export async function findOrganizationsOf(db: Db, userId: string): Promise<OrgId[]> {
  const joined = and(eq(memberships.userId, userId), not(isMadeBySso));
  const rows = await db.select({ orgId: memberships.orgId }).from(memberships).where(joined);
  return rows.map(({ orgId }) => orgId as OrgId);
}
