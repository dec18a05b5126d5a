import { Elysia, t } from "elysia";
import { AuthSession } from "@/contract/accounts/auth";
import {
  SSO_ERRORS,
  SsoCallbackQuery,
  SsoConfiguration,
  type SsoError,
  SsoExchangeInput,
  SsoStartQuery,
  SsoUpdate,
} from "@/contract/accounts/sso";
import { acceptsHtml } from "@/core/headers/accepts-html";
import { credentialOf, type Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import { toHttpError } from "@/http/wire";
import type { SignInLimits } from "@/modules/auth/sign-in-limits";
import type { Log } from "@/platform/telemetry/log";
import type { SsoRefusals } from "./refusals";
import type { SsoService } from "./service";
import type { SignInStep, SsoSignIn } from "./sign-in";

export const ssoRoutes = (sso: SsoService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/sso", tags: ["SSO"] })
    .use(guard)
    .get("", ({ tenant }) => sso.get(tenant), {
      member: { role: "owner", scopes: [] },
      response: { 200: SsoConfiguration, ...failures(401, 403, 404) },
      detail: {
        operationId: "getSso",
        summary: "Get the single sign-on settings",
        description: "The client secret is never shown.",
      },
    })
    .patch("", ({ tenant, user, body, request }) => sso.update(tenant, credentialOf(user), body, ifMatchOf(request)), {
      member: { role: "owner", scopes: [] },
      body: SsoUpdate,
      alsoChecked: soundUpdate(sso),
      response: { 200: SsoConfiguration, ...failures(400, 401, 403, 404, 409, 412, 413, 415) },
      detail: {
        ...CHANGES_TAGGED,
        operationId: "updateSso",
        summary: "Update the single sign-on settings",
        description:
          "Omitted fields keep their value, and null clears a field; changing the `issuer` removes the client secret unless " +
          "you send it too. Register `callbackUrl` with the provider first. Enabling single sign-on fetches the provider's " +
          "discovery document. Turning on `enforce` ends other kinds of sessions for all members except owners. Turning " +
          "single sign-on off, or changing its issuer, ends the sessions it opened. Access tokens end like the sessions " +
          "they were created with.",
      },
    });

const soundUpdate = (sso: SsoService) => onValidFields(SsoUpdate, (_, sound) => sso.check(sound));

export interface SignInRoutes {
  signIn: SsoSignIn;
  refusals: SsoRefusals;
  callerOf: CallerOf;
  limits: Pick<SignInLimits, "takeAddress" | "takeStep">;
  log: Log;
}

export const ssoSignInRoutes = ({ signIn, refusals, callerOf, limits, log }: SignInRoutes, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth/sso", tags: ["SSO"] })
    .use(guard)
    .get(
      "/start",
      async ({ query, request }) => {
        const host = URL.parse(request.url)?.host ?? "";
        try {
          await limits.takeAddress(callerOf(request));
          return redirect(await signIn.start(query, host));
        } catch (error) {
          return redirect(refusals.start(host, errorForPerson(error, request, log)));
        }
      },
      {
        public: true,
        query: SsoStartQuery,
        response: { 302: onward("Continue at the identity provider"), ...failures(400, 404, 429, 503) },
        detail: {
          operationId: "startSso",
          summary: "Start single sign-on",
          description:
            "Redirects the browser to the organization's identity provider, with a cookie that binds the sign-in to it. The " +
            "sign-in ends at the dashboard on whose host it started: the service's own pages receive the session in a cookie. " +
            "A dashboard on another host (`DASHBOARD_URL`, or a verified domain of this organization that serves the " +
            "dashboard) sends a `codeChallenge`, plus its origin in `dashboard` if it starts at the service's own host; it " +
            "receives `?code=` for `POST /api/v1/auth/sso/exchange`. A sign-in that starts on such a host continues on the " +
            "service's own. Instead of 404, 429 and 503, clients that accept HTML are redirected to the dashboard with `?error=`.",
        },
      },
    )
    .get(
      "/callback",
      async ({ request }) => {
        const caller = callerOf(request);
        const [answer, cookies] = [new URL(request.url).searchParams, request.headers.get("cookie")];
        const taken = refusals.isBegun(answer, cookies)
          ? limits.takeStep("callback", caller)
          : limits.takeAddress(caller);
        try {
          await taken;
        } catch (error) {
          return redirect(refusals.callback(answer, cookies, errorForPerson(error, request, log)));
        }
        return redirect(await signIn.callback(answer, cookies, caller));
      },
      {
        public: true,
        query: SsoCallbackQuery,
        response: { 302: onward("Continue at the dashboard"), ...failures(400, 429) },
        detail: {
          operationId: "finishSso",
          summary: "Finish single sign-on",
          description:
            "Redirects the browser to the dashboard: signed in by a cookie if the dashboard is on the service's own host, " +
            `otherwise with \`?code=\`. If something fails, \`?error=\` says what:\n\n${errorList()}`,
        },
      },
    )
    .post(
      "/exchange",
      async ({ body, request }) => {
        const caller = callerOf(request);
        await limits.takeStep("exchange", caller);
        return signIn.exchange(body, caller);
      },
      exchanged,
    );

const exchanged = {
  public: true as const,
  body: SsoExchangeInput,
  response: { 200: AuthSession, ...failures(400, 413, 415, 429, 503) },
  detail: {
    operationId: "exchangeSsoCode",
    summary: "Exchange a single sign-on code for a session",
    description:
      "For dashboards on another host. A code works once, within a minute, and only with the verifier of the sign-in's " +
      "challenge; a wrong verifier uses the code up too.",
  },
};

const onward = (description: string) => t.Void({ description });

/**
 * Returns what to tell a person, whose browser is sent to a page that says so. Rethrows the error for other clients,
 * which get it themselves, and any for which there is no such page.
 */
function errorForPerson(error: unknown, request: Request, log: Log): SsoError {
  const code = PERSONS_ERRORS.get(toHttpError(error).status);
  if (code === undefined || !acceptsHtml(request.headers.get("accept"))) throw error;
  if (code === "server_error") log.warn("single sign-on could not start", { error });
  return code;
}

const PERSONS_ERRORS = new Map<number, SsoError>([
  [404, "unknown_start"],
  [429, "too_many_attempts"],
  [503, "server_error"],
]);

function redirect({ location, cookies }: SignInStep): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function errorList(): string {
  return Object.entries(SSO_ERRORS)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");
}
