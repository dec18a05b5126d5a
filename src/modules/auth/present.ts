import type { AuthSession, User } from "@/contract/auth";
import type { Organization } from "@/contract/organizations";
import type { Actor } from "@/core/ids";
import type { Caller } from "@/http/caller";
import type { UserRow } from "./store";

const presentUser = (user: UserRow): User => ({
  _id: user.id,
  email: user.email,
  name: user.name,
  twoFactorEnabled: user.twoFactorEnabled,
  emailVerified: user.addressHeldUntil === null,
});

export const presentSession = (token: string, user: UserRow, organizations: Organization[]): AuthSession => ({
  token,
  user: presentUser(user),
  organizations,
});

export const actorOf = (user: UserRow, { ip, userAgent }: Caller): Actor => ({
  type: "user",
  id: user.id,
  email: user.email,
  ip,
  userAgent,
});
