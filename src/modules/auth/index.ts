import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import type { Db } from "@/platform/db/tx";
import { accessTokenRoutes } from "./access-tokens/routes";
import type { Accounts } from "./account-services";
import { emailProofRoutes } from "./email-proof/routes";
import { passwordResetRoutes } from "./password-reset/routes";
import { authRoutes } from "./routes";
import { sessionRoutes } from "./sessions/routes";
import { twoFactorRoutes } from "./two-factor/routes";

export interface AuthParts
  extends Pick<
    Accounts,
    "auth" | "passwordReset" | "emailProof" | "twoFactor" | "challenges" | "sessions" | "accessTokens"
  > {
  db: Db;
  callerOf: CallerOf;
}

export function authModule(parts: AuthParts, guard: Guard) {
  const { auth, passwordReset, emailProof, sessions, accessTokens, db, callerOf } = parts;
  return new Elysia()
    .use(authRoutes(auth, callerOf, guard))
    .use(passwordResetRoutes(passwordReset, callerOf, guard))
    .use(emailProofRoutes(emailProof, callerOf, guard))
    .use(twoFactorRoutes(parts, guard))
    .use(sessionRoutes(sessions, db, guard))
    .use(accessTokenRoutes(accessTokens, guard));
}
