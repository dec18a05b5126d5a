/** Stores access tokens. A token is active until it expires, is revoked, or its membership ends, which deletes it. */
import { and, count, desc, eq, gt, inArray, isNull, lte, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { UserRow } from "@/platform/db/accounts/users";
import { memoizePerDb } from "@/platform/db/memoize-per-db";
import { accessTokens, memberships, sessions, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { maySessionReach, needsSso } from "../reach";

export type AccessTokenRow = typeof accessTokens.$inferSelect;
/** A token with the user it acts for. */
export type OwnedTokenRow = AccessTokenRow & { userId: string };

/** Whose tokens in an organization: one user's, or every member's if there is no `userId`. */
export interface TokenOwners {
  orgId: OrgId;
  userId?: string;
}

const isInForce = (now: Date | Placeholder): SQL | undefined =>
  and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now));

const tokenInForce = memoizePerDb((db) =>
  db
    .select({ token: accessTokens, user: users })
    .from(accessTokens)
    .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(accessTokens.hash, sql.placeholder("hash")), isInForce(sql.placeholder("now"))))
    .limit(1)
    .prepare("access_token"),
);

/**
 * Finds an active token and its user. Runs on every request that sends a token, so Postgres plans it once per
 * connection.
 */
export async function findAccessToken(
  db: Db,
  hash: Uint8Array,
  now: Date,
): Promise<{ token: AccessTokenRow; user: UserRow } | undefined> {
  return (await tokenInForce(db).execute({ hash, now }))[0];
}

/** Reports whether the session is active, and keeps it from ending before the transaction does. */
export async function lockActiveSession(tx: Db, id: string, now: Date): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .for("share");
  return rows.length > 0;
}

export async function findMembershipId(tx: Db, orgId: OrgId, userId: string): Promise<string | undefined> {
  const own = and(eq(memberships.orgId, orgId), eq(memberships.userId, userId));
  return (await tx.select({ id: memberships.id }).from(memberships).where(own))[0]?.id;
}

export async function countInForce(tx: Db, membershipId: string, now: Date): Promise<number> {
  const own = and(eq(accessTokens.membershipId, membershipId), isInForce(now));
  return (await tx.select({ total: count() }).from(accessTokens).where(own))[0]?.total ?? 0;
}

export async function insertAccessToken(
  tx: Db,
  token: typeof accessTokens.$inferInsert & { orgId: OrgId },
): Promise<AccessTokenRow> {
  const [row] = await tx.insert(accessTokens).values(token).returning();
  if (!row) throw new Error("An inserted access token was not returned");
  return row;
}

/** Returns one page of tokens, newest first, and the total. */
export async function listAccessTokens(db: Db, owners: TokenOwners, page: number, limit: number) {
  const [rows, [counted]] = await Promise.all([
    db
      .select({ token: accessTokens, userId: memberships.userId })
      .from(accessTokens)
      .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
      .where(areOf(owners))
      .orderBy(desc(accessTokens.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db
      .select({ total: count() })
      .from(accessTokens)
      .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
      .where(areOf(owners)),
  ]);
  return { rows: rows.map(({ token, userId }) => ({ ...token, userId: userId ?? "" })), total: counted?.total ?? 0 };
}

/** Revokes a token and returns it; undefined if these owners have no unrevoked token with this id. */
export async function revokeAccessToken(
  tx: Db,
  owners: TokenOwners,
  id: string,
  now: Date,
): Promise<AccessTokenRow | undefined> {
  const membershipsOfOwners = tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.orgId, owners.orgId), owners.userId ? eq(memberships.userId, owners.userId) : undefined));
  const rows = await tx
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(
      and(
        eq(accessTokens.orgId, owners.orgId),
        eq(accessTokens.id, id),
        isNull(accessTokens.revokedAt),
        inArray(accessTokens.membershipId, membershipsOfOwners),
      ),
    )
    .returning();
  return rows[0];
}

/** Records a use, unless one after `notedBefore` is already recorded. */
export const noteAccessTokenUse = (db: Db, id: string, now: Date, notedBefore: Date) =>
  db
    .update(accessTokens)
    .set({ lastUsedAt: now })
    .where(
      and(eq(accessTokens.id, id), or(isNull(accessTokens.lastUsedAt), lte(accessTokens.lastUsedAt, notedBefore))),
    );

/** Returns the ids of those tokens that are active and reach the organization. */
export async function findMemberTokens(db: Db, orgId: OrgId, ids: string[], now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: accessTokens.id, isMadeBySso: accessTokens.isMadeBySso, needsSso })
    .from(accessTokens)
    .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
    .where(and(eq(accessTokens.orgId, orgId), inArray(accessTokens.id, ids), isInForce(now)));
  const reaching = rows.filter((row) =>
    maySessionReach(vouchingOrg({ ...row, orgId }), { orgId, needsSso: row.needsSso }),
  );
  return reaching.map(({ id }) => id);
}

/**
 * The organization whose identity provider opened the session that created the token; null if the session was the
 * user's own.
 */
export const vouchingOrg = ({ isMadeBySso, orgId }: Pick<AccessTokenRow, "isMadeBySso" | "orgId">): string | null =>
  isMadeBySso ? orgId : null;

const areOf = ({ orgId, userId }: TokenOwners): SQL | undefined =>
  and(eq(accessTokens.orgId, orgId), userId === undefined ? undefined : eq(memberships.userId, userId));
