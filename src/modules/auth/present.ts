import type { Actor } from "@/core/ids";
import type { Caller } from "@/http/caller";
import type { UserRow } from "@/platform/db/accounts/users";

export const actorOf = (user: UserRow, { ip, userAgent }: Caller): Actor => ({
  type: "user",
  id: user.id,
  email: user.email,
  ip,
  userAgent,
});
