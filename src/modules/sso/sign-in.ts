/**
 * Handles a sign-in through an organization's identity provider, from the browser's first step to its return. The
 * server keeps nothing of it: the browser carries it (see `attempt`). Any failure after the first step ends at the
 * dashboard with an error code. A success ends with the session's cookie, or for a dashboard on another host with a
 * code to exchange: a URL never contains a token, because a redirect could carry it on to somebody else's site.
 */
import type { AuthSession } from "@/contract/accounts/auth";
import type { SsoError, SsoExchangeInput, SsoStartQuery } from "@/contract/accounts/sso";
import { APP_PATH } from "@/http/app-path";
import type { Caller } from "@/http/caller";
import { invalid, notFound } from "@/http/errors";
import type { SessionCookie } from "@/http/session-cookie";
import type { Sessions } from "@/modules/auth/sessions/sessions";
import { findUser, type UserRow } from "@/platform/db/accounts/users";
import { levelOfFailure } from "@/platform/db/faults";
import type { Db } from "@/platform/db/tx";
import type { Seal } from "@/platform/seal";
import type { Log } from "@/platform/telemetry/log";
import type { IdentityAccounts } from "./accounts";
import type { Attempts, SignInAttempt } from "./attempt";
import { checkSubject } from "./claims";
import type { Codes } from "./codes";
import type { Dashboards } from "./dashboards";
import { loggedCauses, SsoFailure } from "./failure";
import { roleOf } from "./present";
import type { ProviderSettings, Providers } from "./provider";
import { openSecret } from "./secret";
import { checkedStart, type OtherHostDashboard } from "./start";
import * as store from "./store";

export interface SignInOptions {
  db: Db;
  log: Log;
  seal: Seal;
  attempts: Attempts;
  providers: Providers;
  accounts: IdentityAccounts;
  sessions: Pick<Sessions, "open">;
  codes: Codes;
  cookie: SessionCookie;
  dashboards: Dashboards;
}

/** Where the browser goes next, and the `Set-Cookie` values it receives. */
export interface SignInStep {
  location: string;
  cookies: string[];
}

export type SsoSignIn = ReturnType<typeof createSsoSignIn>;

export function createSsoSignIn(options: SignInOptions) {
  const { db, log, seal, attempts, providers, sessions, codes, dashboards } = options;

  return {
    /**
     * Begins a sign-in. `host` is the host of the request. A request to a dashboard on another host continues on the
     * service's own host, because the provider's response must meet its cookie there. Throws 400 for missing
     * parameters and for targets outside the organization's dashboards, 404 if the organization does not exist or has
     * no single sign-on.
     */
    async start(query: SsoStartQuery, host: string): Promise<SignInStep> {
      const asked = dashboards.at(host);
      const { orgSlug, returnTo, elsewhere } = checkedStart(query, asked, dashboards);
      const configuration = await store.findEnabledBySlug(db, orgSlug);
      if (!configuration) throw notFound("single sign-on");
      const { orgId, issuer } = configuration;
      if (elsewhere && !dashboards.isOf(elsewhere.dashboard, orgId)) throw invalid([NO_DASHBOARD]);
      if (asked && elsewhere)
        return { location: startUrl(dashboards, { orgSlug, returnTo, ...elsewhere }), cookies: [] };
      try {
        const { url, ...begun } = await providers.begin(settingsOf(seal, configuration));
        return { location: url, cookies: [attempts.keep({ ...begun, orgId, issuer, returnTo, elsewhere })] };
      } catch (error) {
        return {
          location: dashboardRedirectUrl(dashboards, { elsewhere, returnTo }, { error: codeOf(log, error, orgId) }),
          cookies: [],
        };
      }
    },

    /** Finishes a sign-in. Never throws. `answer`: the query with which the provider sent the browser back. */
    async callback(answer: URLSearchParams, cookies: string | null, caller: Caller): Promise<SignInStep> {
      let attempt: SignInAttempt;
      try {
        attempt = attempts.resume(cookies, answer);
      } catch (error) {
        // Keep the cookie: another sign-in of this browser may still be in progress.
        return { location: `${dashboards.main}${APP_PATH}?error=${codeOf(log, error)}`, cookies: [] };
      }
      const forgotten = attempts.forget();
      try {
        const step = await completeSignIn(options, attempt, answer, caller);
        return { ...step, cookies: [forgotten, ...step.cookies] };
      } catch (error) {
        return {
          location: dashboardRedirectUrl(dashboards, attempt, { error: codeOf(log, error, attempt.orgId) }),
          cookies: [forgotten],
        };
      }
    },

    /**
     * Returns the session for a code. Throws 400 if the code is invalid or another dashboard's, or if single sign-on
     * was changed meanwhile.
     */
    async exchange({ code, codeVerifier }: SsoExchangeInput, caller: Caller): Promise<AuthSession> {
      const vouched = await codes.redeem(code, codeVerifier);
      if (!vouched) throw unusableCode();
      return db
        .transaction(async (tx) => {
          const user = await findUser(tx, vouched.userId);
          const configuration = await store.findEnabled(tx, vouched.orgId);
          if (!user || !configuration) throw unusableCode();
          return openSsoSession(sessions, tx, { ...configuration, issuer: vouched.issuer }, user, caller);
        })
        .catch((error: unknown) => {
          throw error instanceof SsoFailure ? unusableCode() : error;
        });
    },
  };
}

/**
 * Turns the provider's response into the browser's last step: a session cookie, or a code for a dashboard on another
 * host.
 */
async function completeSignIn(
  { db, seal, providers, accounts, sessions, codes, cookie, dashboards }: SignInOptions,
  attempt: SignInAttempt,
  answer: URLSearchParams,
  caller: Caller,
): Promise<SignInStep> {
  const configuration = checkedCurrent(await store.findEnabled(db, attempt.orgId), attempt.issuer);
  const { elsewhere } = attempt;
  if (elsewhere && !dashboards.isOf(elsewhere.dashboard, attempt.orgId)) throw new SsoFailure("sso_changed");
  const claims = await providers.finish(settingsOf(seal, configuration), attempt, answer);
  checkSubject(claims);
  const user = await accounts.userOf(claims, { ...configuration, defaultRole: roleOf(configuration) }, caller);
  if (elsewhere) {
    const { orgId, issuer } = configuration;
    const { codeChallenge } = elsewhere;
    return {
      location: dashboardRedirectUrl(dashboards, attempt, {
        code: await codes.issue({ orgId, issuer, userId: user.id, codeChallenge }),
      }),
      cookies: [],
    };
  }
  const { token } = await db.transaction((tx) => openSsoSession(sessions, tx, configuration, user, caller));
  return { location: dashboardRedirectUrl(dashboards, attempt, {}), cookies: [cookie.keep(token)] };
}

/**
 * Opens the session and locks the configuration: turning single sign-on off ends its sessions, and none may open
 * after it.
 */
async function openSsoSession(
  sessions: SignInOptions["sessions"],
  tx: Db,
  { orgId, issuer }: Opening,
  user: UserRow,
  caller: Caller,
): Promise<AuthSession> {
  checkedCurrent(await store.lockEnabled(tx, orgId), issuer);
  return sessions.open(tx, user, caller, orgId);
}

function settingsOf(
  seal: Seal,
  { orgId, updatedAt, issuer, clientId, clientSecret }: store.EnabledConfiguration,
): ProviderSettings {
  const secret = openSecret(seal, { orgId, clientSecret });
  return { key: `${orgId} ${updatedAt.getTime()}`, issuer, clientId, clientSecret: secret };
}

export function dashboardRedirectUrl(
  dashboards: Dashboards,
  { elsewhere, returnTo }: Pick<SignInAttempt, "elsewhere" | "returnTo">,
  fields: Record<string, string>,
): string {
  return `${elsewhere?.dashboard ?? dashboards.own}${withFields(returnTo, fields)}`;
}

function startUrl(dashboards: Dashboards, fields: { orgSlug: string; returnTo: string } & OtherHostDashboard): string {
  return `${dashboards.own}/api/v1/auth/sso/start?${new URLSearchParams({ ...fields })}`;
}

/** Returns the failure's code for the browser, and logs the rest. */
function codeOf(log: Log, error: unknown, orgId?: string): SsoError {
  if (!(error instanceof SsoFailure)) {
    log[levelOfFailure(error)]("single sign-on failed", { orgId, error });
    return "server_error";
  }
  log.warn("single sign-on was refused", { orgId, code: error.code, causes: loggedCauses(error) });
  return error.code;
}

/** Throws `sso_changed` if single sign-on is off or its provider is not the one the sign-in began with. */
function checkedCurrent(configuration: store.EnabledConfiguration | undefined, issuer: string) {
  if (configuration?.issuer !== issuer) throw new SsoFailure("sso_changed");
  return configuration;
}

function withFields(path: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields).toString();
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

type Opening = Pick<store.EnabledConfiguration, "orgId" | "issuer">;

const NO_DASHBOARD = "dashboard: not a dashboard of this organization";

const unusableCode = () =>
  invalid(
    ["code: unknown, already used, expired, or does not match this `codeVerifier`"],
    "This code cannot be exchanged",
  );
