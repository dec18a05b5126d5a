/** Access tokens: in force until they expire or are revoked, or their membership ends, which takes them along. */
import { and, count, desc, eq, gt, inArray, isNull, lte, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { builtOnce } from "@/platform/db/built-once";
import { accessTokens, memberships, sessions, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { isReached, needsSso } from "../reach";
import type { UserRow } from "../store";

export type AccessTokenRow = typeof accessTokens.$inferSelect;
/** A token with the user it acts for. */
export type OwnedTokenRow = AccessTokenRow & { userId: string };

/** Whose tokens of an organization: one user's, or all members'. */
export interface TokenOwners {
  orgId: OrgId;
  userId?: string;
}

const isInForce = (now: Date | Placeholder): SQL | undefined =>
  and(isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now));

const tokenInForce = builtOnce((db) =>
  db
    .select({ token: accessTokens, user: users })
    .from(accessTokens)
    .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(accessTokens.hash, sql.placeholder("hash")), isInForce(sql.placeholder("now"))))
    .limit(1)
    .prepare("access_token"),
);

/** Finds a token in force with its user. Asked with every request that brings one, so Postgres plans it once. */
export async function findAccessToken(
  db: Db,
  hash: Uint8Array,
  now: Date,
): Promise<{ token: AccessTokenRow; user: UserRow } | undefined> {
  return (await tokenInForce(db).execute({ hash, now }))[0];
}

/** Finds the user's session in force and keeps it from ending before the transaction does. */
export async function holdSession(tx: Db, id: string, now: Date): Promise<boolean> {
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

/** Newest first. */
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

/** The token that was revoked, if there was one not yet revoked. */
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

/** Unless a use after `notedBefore` is noted already. */
export const noteAccessTokenUse = (db: Db, id: string, now: Date, notedBefore: Date) =>
  db
    .update(accessTokens)
    .set({ lastUsedAt: now })
    .where(
      and(eq(accessTokens.id, id), or(isNull(accessTokens.lastUsedAt), lte(accessTokens.lastUsedAt, notedBefore))),
    );

/** Those of the tokens that are in force and reach the organization. */
export async function findMemberTokens(db: Db, orgId: OrgId, ids: string[], now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: accessTokens.id, isMadeBySso: accessTokens.isMadeBySso, needsSso })
    .from(accessTokens)
    .innerJoin(memberships, eq(memberships.id, accessTokens.membershipId))
    .where(and(eq(accessTokens.orgId, orgId), inArray(accessTokens.id, ids), isInForce(now)));
  const reaching = rows.filter((row) => isReached(vouchingOrg({ ...row, orgId }), { orgId, needsSso: row.needsSso }));
  return reaching.map(({ id }) => id);
}

/** The organization whose identity provider opened the session that made the token; null where the user's own did. */
export const vouchingOrg = ({ isMadeBySso, orgId }: Pick<AccessTokenRow, "isMadeBySso" | "orgId">): string | null =>
  isMadeBySso ? orgId : null;

const areOf = ({ orgId, userId }: TokenOwners): SQL | undefined =>
  and(eq(accessTokens.orgId, orgId), userId === undefined ? undefined : eq(memberships.userId, userId));
