/** Finds the memberships that single sign-on created: each has the id of the identity it was created for. */
import { type SQL, sql } from "drizzle-orm";
import { memberships, ssoIdentities } from "../schema";

/**
 * Only an identity provider, which the owners of its organization control, has stated that the user is a member. The
 * user's own account may be a stranger's, so such a membership must not affect it.
 */
export const isMadeBySso: SQL<boolean> = sql<boolean>`exists (
  select 1 from ${ssoIdentities} where ${ssoIdentities.id} = ${memberships.id})`;
