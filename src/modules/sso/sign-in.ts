/**
 * A sign-in through an organization's identity provider, from the browser's first step to its way back. Nothing of it is
 * kept here: the browser carries it (see `attempt`). Whatever goes wrong after the first step ends at the dashboard with a
 * code; token and code stand in the fragment, which no server and no referrer sees.
 */
import type { SsoError, SsoStartQuery } from "@/contract/sso";
import type { Caller } from "@/http/caller";
import { invalid, notFound } from "@/http/errors";
import type { Sessions } from "@/modules/auth/sessions";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/log";
import type { Seal } from "@/platform/seal";
import type { Accounts } from "./accounts";
import type { Attempt, Attempts } from "./attempt";
import { checkSubject } from "./claims";
import { loggedCauses, SsoFailure } from "./failure";
import type { UserRow } from "./identity-store";
import { roleOf } from "./present";
import type { ProviderSettings, Providers } from "./provider";
import { returnPath } from "./return-path";
import { openSecret } from "./secret";
import * as store from "./store";

export interface SignInOptions {
  db: Db;
  log: Log;
  seal: Seal;
  attempts: Attempts;
  providers: Providers;
  accounts: Accounts;
  sessions: Pick<Sessions, "open">;
  dashboardUrl: string;
}

/** Where the browser goes next, and the `Set-Cookie` it takes along. */
export interface Step {
  location: string;
  cookie?: string;
}

export type SsoSignIn = ReturnType<typeof createSsoSignIn>;

export function createSsoSignIn({
  db,
  log,
  seal,
  attempts,
  providers,
  accounts,
  sessions,
  dashboardUrl,
}: SignInOptions) {
  return {
    /** Throws 400 for what is missing or leads elsewhere, 404 for an organization without single sign-on or none. */
    async start(query: SsoStartQuery): Promise<Step> {
      const { orgSlug, returnTo } = checkedStart(query, dashboardUrl);
      const configuration = await store.findEnabledBySlug(db, orgSlug);
      if (!configuration) throw notFound("single sign-on");
      const { orgId, issuer } = configuration;
      try {
        const { url, ...begun } = await providers.begin(settingsOf(configuration));
        return { location: url, cookie: attempts.keep({ ...begun, orgId, issuer, returnTo }) };
      } catch (error) {
        return { location: atDashboard(returnTo, "error", codeOf(error, orgId)) };
      }
    },

    /** Never throws. `answer`: the query with which the provider sent the browser back. */
    async callback(answer: URLSearchParams, cookies: string | null, caller: Caller): Promise<Step> {
      let attempt: Attempt;
      try {
        attempt = attempts.resume(cookies, answer);
      } catch (error) {
        // Another sign-in of this browser may still be under way: its cookie stays.
        return { location: atDashboard("/", "error", codeOf(error)) };
      }
      const { orgId, returnTo } = attempt;
      const cookie = attempts.forget();
      try {
        return { location: atDashboard(returnTo, "token", await signedIn(attempt, answer, caller)), cookie };
      } catch (error) {
        return { location: atDashboard(returnTo, "error", codeOf(error, orgId)), cookie };
      }
    },
  };

  /** The token of the session that the provider's answer comes to. */
  async function signedIn(attempt: Attempt, answer: URLSearchParams, caller: Caller): Promise<string> {
    const configuration = checkedCurrent(await store.findEnabled(db, attempt.orgId), attempt.issuer);
    const claims = await providers.finish(settingsOf(configuration), attempt, answer);
    checkSubject(claims);
    const rules = { ...configuration, defaultRole: roleOf(configuration) };
    return opened(configuration, await accounts.userOf(claims, rules, caller), caller);
  }

  /** Whoever turns single sign-on off ends its sessions: none is opened past that. */
  function opened({ orgId, issuer }: store.EnabledConfiguration, user: UserRow, caller: Caller): Promise<string> {
    return db.transaction(async (tx) => {
      checkedCurrent(await store.holdEnabled(tx, orgId), issuer);
      return (await sessions.open(tx, user, caller, orgId)).token;
    });
  }

  function settingsOf({
    orgId,
    updatedAt,
    issuer,
    clientId,
    clientSecret,
  }: store.EnabledConfiguration): ProviderSettings {
    const secret = openSecret(seal, { orgId, clientSecret });
    return { key: `${orgId} ${updatedAt.getTime()}`, issuer, clientId, clientSecret: secret };
  }

  function atDashboard(path: string, name: "token" | "error", value: string): string {
    return `${dashboardUrl}${path}#${name}=${encodeURIComponent(value)}`;
  }

  /** Tells the log what the browser is not told. */
  function codeOf(error: unknown, orgId?: string): SsoError {
    if (!(error instanceof SsoFailure)) {
      log.error("single sign-on failed", { orgId, error });
      return "server_error";
    }
    log.warn("single sign-on was refused", { orgId, code: error.code, causes: loggedCauses(error) });
    return error.code;
  }
}

/** Throws `sso_changed` for a configuration that is off, or of another provider than the sign-in began with. */
function checkedCurrent(configuration: store.EnabledConfiguration | undefined, issuer: string) {
  if (configuration?.issuer !== issuer) throw new SsoFailure("sso_changed");
  return configuration;
}

/** Throws 400 with what is missing or leads elsewhere. */
function checkedStart({ orgSlug, returnTo = "/" }: SsoStartQuery, dashboardUrl: string) {
  const path = returnPath(returnTo, dashboardUrl);
  const faults: string[] = [];
  if (!orgSlug) faults.push("orgSlug: required");
  if (!path) faults.push("returnTo: expected a path of the dashboard, like /links");
  if (!orgSlug || !path) throw invalid(faults);
  return { orgSlug, returnTo: path };
}
