/** Which memberships single sign-on made: the identity on whose word one was made bears its id. */
import { type SQL, sql } from "drizzle-orm";
import { memberships, ssoIdentities } from "./schema";

/**
 * Nobody but an identity provider, which is in the hands of its organization's owners, said that the user is a member: of
 * the user's own account, which may be a stranger's, such a membership must not have an effect.
 */
export const isMadeBySso: SQL<boolean> = sql<boolean>`exists (
  select 1 from ${ssoIdentities} where ${ssoIdentities.id} = ${memberships.id})`;
