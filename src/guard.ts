/** Connects the access checks of routes with the modules that own sessions, memberships and API keys. */
import type { Server } from "bun";
import type { Config } from "@/config";
import { type AccessChecks, access, type Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { unauthenticated } from "@/http/errors";
import { operatorCheck } from "@/http/operator";
import { createRateLimit } from "@/http/rate-limit";
import type { ApiKeyService } from "@/modules/api-keys/service";
import type { Accounts } from "@/modules/auth/account-services";
import type { Clock } from "@/platform/clock";
import type { Keys } from "@/platform/keys";
import type { Limits } from "@/platform/limits/limits";
import type { UsageMeter } from "@/platform/usage";

export interface GuardParts {
  principals: Accounts["principals"];
  apiKeys: Pick<ApiKeyService, "authenticate">;
  callerOf: CallerOf;
  config: Config;
  limits: Limits;
  usage: UsageMeter;
  keys: Keys;
  clock: Clock;
}

/** `server` returns null until the service listens. */
export function createGuard(parts: GuardParts, server: () => Server<unknown> | null): Guard {
  const { principals, apiKeys, callerOf, config } = parts;
  const checks: AccessChecks = {
    user: (request) => principals.user(credential(request, "Bearer"), callerOf(request)),
    member: principals.member,
    apiKey: (request) => apiKeys.authenticate(credential(request, "ApiKey"), callerOf(request)),
    isOperator: operatorCheck(config, server),
  };
  return access(checks, createRateLimit(parts), parts);
}

/** Returns what follows the scheme in `Authorization`. Throws 401 for another scheme or none. */
function credential(request: Request, scheme: "Bearer" | "ApiKey"): string {
  const [, given, value] = /^(\S+) +(\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!value || given?.toLowerCase() !== scheme.toLowerCase()) {
    throw unauthenticated(`This requires Authorization: ${scheme}`);
  }
  return value;
}
