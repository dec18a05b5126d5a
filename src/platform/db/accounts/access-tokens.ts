/**
 * Ends access tokens before they expire. Whatever ends a user's sessions because someone else may have access to the
 * account also ends the tokens, in the same transaction and after the sessions. A token that is being created holds
 * its session's row, so it is either created before that and ended here, or not created at all.
 */
import { and, eq, inArray, isNull, ne, type SQL } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { accessTokens, memberships } from "../schema";
import type { Db } from "../tx";

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

/** Ends the tokens that an organization's members, except owners, created without single sign-on. */
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

/** Ends the tokens that an organization's members created through single sign-on. */
export const endProviderAccessTokens = (tx: Db, orgId: OrgId, now: Date) =>
  endTokens(tx, and(eq(accessTokens.orgId, orgId), eq(accessTokens.isMadeBySso, true)), now);

const endTokens = (tx: Db, which: SQL | undefined, now: Date) =>
  tx
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(isNull(accessTokens.revokedAt), which));
