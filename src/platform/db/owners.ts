/** Which owners get into their organization whatever becomes of its identity provider. */
import { type SQL, sql } from "drizzle-orm";
import { memberships, users } from "./schema";
import { isMadeBySso } from "./sso-members";

/**
 * Of a membership beside its user: an owner who joined in their own right and has a password. One of them always remains,
 * since a provider may break or be turned off, and a membership that single sign-on made is reached through it alone.
 */
export const isIndependentOwner: SQL<boolean> = sql<boolean>`(
  ${memberships.role} = 'owner' and ${users.passwordHash} is not null and not ${isMadeBySso})`;
