/** Finds the owners who can enter their organization whatever happens to its identity provider. */
import { type SQL, sql } from "drizzle-orm";
import { memberships, users } from "../schema";
import { isMadeBySso } from "./sso-members";

/**
 * A condition on a membership and its user: an owner who did not join through single sign-on, and who has a password.
 * One of them always remains, because a provider may break or be turned off, and a membership that single sign-on
 * created can be reached only through it.
 */
export const isIndependentOwner: SQL<boolean> = sql<boolean>`(
  ${memberships.role} = 'owner' and ${users.passwordHash} is not null and not ${isMadeBySso})`;
