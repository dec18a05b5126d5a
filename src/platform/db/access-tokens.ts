/**
 * What ends access tokens before their time. Whatever ends a user's sessions because somebody else may have the account ends
 * the tokens as well, in the same transaction and after the sessions: a token that is being made holds its session's row, so
 * that it is either made before and ended here, or not made at all.
 */
import { and, eq, inArray, isNull, ne, type SQL } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { accessTokens, memberships } from "./schema";
import type { Db } from "./tx";

/** Ends a user's tokens, in all organizations. */
export const endAccessTokens = (tx: Db, userId: string, now: Date) =>
  endTokens(
    tx,
    inArray(
      accessTokens.membershipId,
      tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, userId)),
    ),
    now,
  );

/** Ends the tokens of an organization's members but owners that were made without single sign-on. */
export const endOwnAccessTokens = (tx: Db, orgId: OrgId, now: Date) =>
  endTokens(
    tx,
    and(
      eq(accessTokens.orgId, orgId),
      eq(accessTokens.isMadeBySso, false),
      inArray(
        accessTokens.membershipId,
        tx
          .select({ id: memberships.id })
          .from(memberships)
          .where(and(eq(memberships.orgId, orgId), ne(memberships.role, "owner"))),
      ),
    ),
    now,
  );

/** Ends the tokens of an organization that its identity provider vouched for. */
export const endProviderAccessTokens = (tx: Db, orgId: OrgId, now: Date) =>
  endTokens(tx, and(eq(accessTokens.orgId, orgId), eq(accessTokens.isMadeBySso, true)), now);

const endTokens = (tx: Db, which: SQL | undefined, now: Date) =>
  tx
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(isNull(accessTokens.revokedAt), which));
