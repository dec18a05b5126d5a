import { Elysia } from "elysia";
import type { OrgId } from "@/core/ids";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import type { SessionCookie } from "@/http/session-cookie";
import type { AddressRules } from "@/modules/auth/email-proof/address-rules";
import type { RegistrationRules } from "@/modules/auth/registration";
import type { Sessions } from "@/modules/auth/sessions/sessions";
import type { SignInLimits } from "@/modules/auth/sign-in-limits";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts/hosts";
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { Outbound } from "@/platform/outbound/outbound";
import type { Seal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import { createIdentityAccounts } from "./accounts";
import { createAttempts } from "./attempt";
import { createCodes } from "./codes";
import { createDashboards } from "./dashboards";
import { createProviders } from "./provider";
import { createSsoRefusals } from "./refusals";
import { ssoRoutes, ssoSignInRoutes } from "./routes";
import { callbackUrlOf, createSsoService } from "./service";
import { createSsoSignIn } from "./sign-in";
import { plainAllowed } from "./validate";

export interface SsoParts {
  db: Db;
  clock: Clock;
  log: Log;
  seal: Seal;
  sessions: Pick<Sessions, "open">;
  signInLimits: SignInLimits;
  rules: AddressRules;
  registration: Pick<RegistrationRules, "confirm">;
  plans: { requireRoom(tx: Db, orgId: OrgId, resource: "members"): Promise<void> };
  outbound: Outbound;
  cookie: SessionCookie;
  hosts: HostDirectory;
  callerOf: CallerOf;
  config: { baseUrl: string; dashboardUrl: string; outboundAllow: string[] };
}

export function ssoModule(parts: SsoParts, guard: Guard) {
  const { db, clock, log, seal, plans, outbound, config, callerOf, signInLimits: limits } = parts;
  const { baseUrl, outboundAllow } = config;
  const isAllowedPlain = plainAllowed(createAddressCheck(outboundAllow));
  const providers = createProviders({ outbound, clock, callbackUrl: callbackUrlOf(baseUrl), isAllowedPlain });
  const requireRoom = (tx: Db, orgId: OrgId) => plans.requireRoom(tx, orgId, "members");
  const attempts = createAttempts({ seal, clock, isSecure: baseUrl.startsWith("https:") });
  const dashboards = createDashboards({ ...config, hosts: parts.hosts });
  const signIn = createSsoSignIn({
    ...parts,
    providers,
    attempts,
    accounts: createIdentityAccounts({ ...parts, requireRoom }),
    codes: createCodes({ db, clock }),
    dashboards,
  });
  const refusals = createSsoRefusals({ attempts, dashboards });
  return new Elysia()
    .use(ssoSignInRoutes({ signIn, refusals, callerOf, limits, log }, guard))
    .use(ssoRoutes(createSsoService({ db, clock, seal, providers, isAllowedPlain, baseUrl }), guard));
}
