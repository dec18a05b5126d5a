import type { AuthSession, User } from "@/contract/auth";
import type { Organization } from "@/contract/organizations";
import type { UserRow } from "./store";

const presentUser = (user: UserRow): User => ({
  _id: user.id,
  email: user.email,
  name: user.name,
  twoFactorEnabled: user.twoFactorEnabled,
});

export const presentSession = (token: string, user: UserRow, organizations: Organization[]): AuthSession => ({
  token,
  user: presentUser(user),
  organizations,
});
