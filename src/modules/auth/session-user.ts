/**
 * Decides what a session sees of its user. An identity provider opens sessions for anyone it vouches for, possibly a
 * stranger with an account. Through such a session, whoever runs the provider sees what the provider itself stated,
 * and nothing of the account.
 */
import { and, eq } from "drizzle-orm";
import type { User } from "@/contract/accounts/auth";
import { statedUser } from "@/core/stated-user";
import type { UserRow } from "@/platform/db/accounts/users";
import { memberships, ssoIdentities } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { AddressRules } from "./email-proof/address-rules";

export interface Viewed {
  user: UserRow;
  /** The organization whose identity provider opened the session; null for a password session. */
  ssoOrgId: string | null;
}

export async function sessionUser(
  db: Db,
  { user, ssoOrgId }: Viewed,
  { isUnproven }: Pick<AddressRules, "isUnproven">,
): Promise<User> {
  if (ssoOrgId === null) return { ...presentUser(user), emailVerified: !isUnproven(user) };
  const stated = await findStated(db, ssoOrgId, user.id);
  const names = stated ? statedUser(stated, user.email) : { email: user.email, name: user.name };
  return { _id: user.id, ...names, twoFactorEnabled: false, emailVerified: true };
}

/** Returns undefined for a member who joined with their own account, which the organization therefore knows. */
async function findStated(db: Db, orgId: string, userId: string) {
  const { id, email, name } = ssoIdentities;
  const [membership] = await db
    .select({ identityId: id, email, name })
    .from(memberships)
    .leftJoin(ssoIdentities, eq(id, memberships.id))
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)));
  if (membership) return membership.identityId === null ? undefined : membership;
  // The session outlasts the membership, which whoever runs the provider can end: that tells them nothing more.
  const ofUser = and(eq(ssoIdentities.orgId, orgId), eq(ssoIdentities.userId, userId));
  const [stated] = await db.select({ email, name }).from(ssoIdentities).where(ofUser).limit(1);
  return stated ?? { email: null, name: null };
}

const presentUser = (user: UserRow) => ({
  _id: user.id,
  email: user.email,
  name: user.name,
  twoFactorEnabled: user.twoFactorEnabled,
});
