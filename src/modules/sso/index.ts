/** The parts of single sign-on, put together: its settings, and the sign-in by them. */
import type { OrgId } from "@/core/ids";
import type { SessionCookie } from "@/http/session-cookie";
import type { AddressRules } from "@/modules/auth/address-rules";
import type { RegistrationRules } from "@/modules/auth/registration";
import type { Sessions } from "@/modules/auth/sessions";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { HostDirectory } from "@/platform/hosts";
import type { Log } from "@/platform/log";
import type { Outbound } from "@/platform/outbound";
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { Seal } from "@/platform/seal";
import { createAccounts } from "./accounts";
import { createAttempts } from "./attempt";
import { createCodes } from "./codes";
import { createDashboards } from "./dashboards";
import { createProviders } from "./provider";
import { callbackUrlOf, createSsoService } from "./service";
import { createSsoSignIn } from "./sign-in";
import { plainAllowed } from "./validate";

export interface SsoParts {
  db: Db;
  clock: Clock;
  log: Log;
  seal: Seal;
  sessions: Pick<Sessions, "open">;
  rules: AddressRules;
  registration: Pick<RegistrationRules, "confirm">;
  outbound: Outbound;
  requireRoom(tx: Db, orgId: OrgId): Promise<void>;
  cookie: SessionCookie;
  hosts: HostDirectory;
  config: { baseUrl: string; dashboardUrl: string; outboundAllow: string[] };
}

export function createSso(parts: SsoParts) {
  const { db, clock, log, seal, sessions, rules, registration, outbound, requireRoom, cookie, hosts, config } = parts;
  const { baseUrl, dashboardUrl, outboundAllow } = config;
  const isAllowedPlain = plainAllowed(createAddressCheck(outboundAllow));
  const providers = createProviders({ outbound, clock, callbackUrl: callbackUrlOf(baseUrl), isAllowedPlain });
  const attempts = createAttempts({ seal, clock, isSecure: baseUrl.startsWith("https:") });
  const accounts = createAccounts({ db, clock, rules, registration, requireRoom });
  return {
    settings: createSsoService({ db, clock, seal, providers, isAllowedPlain, baseUrl }),
    signIn: createSsoSignIn({
      ...{ db, log, seal, attempts, providers, accounts, sessions, cookie },
      codes: createCodes({ db, clock }),
      dashboards: createDashboards({ baseUrl, dashboardUrl, hosts }),
    }),
  };
}
