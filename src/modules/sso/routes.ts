import { Elysia, t } from "elysia";
import { AuthSession } from "@/contract/accounts/auth";
import {
  SSO_ERRORS,
  SsoCallbackQuery,
  SsoConfiguration,
  SsoExchangeInput,
  SsoStartQuery,
  SsoUpdate,
} from "@/contract/accounts/sso";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import type { SignInLimits } from "@/modules/auth/sign-in-limits";
import type { SsoService } from "./service";
import type { SsoSignIn, Step } from "./sign-in";

export const ssoRoutes = (sso: SsoService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/sso", tags: ["SSO"] })
    .use(guard)
    .get("", ({ tenant }) => sso.get(tenant), {
      member: "owner",
      response: { 200: SsoConfiguration, ...failures(401, 403, 404) },
      detail: {
        operationId: "getSso",
        summary: "Get the single sign-on settings",
        description: "The client secret is never shown.",
      },
    })
    .patch("", ({ tenant, user, body }) => sso.update(tenant, user.sessionId, body), {
      member: "owner",
      body: SsoUpdate,
      response: { 200: SsoConfiguration, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "updateSso",
        summary: "Update the single sign-on settings",
        description:
          "Absent fields stay, null clears; with another `issuer` the client secret goes unless it is given too. Register " +
          "`callbackUrl` at the provider first. Enabling asks the provider for its discovery document. When `enforce` is turned on, sessions that members but for owners opened otherwise end; when " +
          "single sign-on is turned off or gets another issuer, those it opened end.",
      },
    });

export interface SignInRoutes {
  signIn: SsoSignIn;
  callerOf: CallerOf;
  limits: Pick<SignInLimits, "takeAddress">;
}

export const ssoSignInRoutes = ({ signIn, callerOf, limits }: SignInRoutes, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth/sso", tags: ["SSO"] })
    .use(guard)
    .get(
      "/start",
      async ({ query, request }) => {
        await limits.takeAddress(callerOf(request));
        return redirect(await signIn.start(query, URL.parse(request.url)?.host ?? ""));
      },
      {
        public: true,
        query: SsoStartQuery,
        response: { 302: onward("Go on at the identity provider"), ...failures(400, 404, 429) },
        detail: {
          operationId: "startSso",
          summary: "Start single sign-on",
          description:
            "Sends the browser to the organization's identity provider, with a cookie that binds the sign-in to it. It ends " +
            "at the dashboard on whose host it is asked for: the service's own pages get the session in a cookie. A dashboard " +
            "on another host (`DASHBOARD_URL`, or a verified domain of this organization that serves the dashboard) gives a " +
            "`codeChallenge`, and names itself in `dashboard` where it is asked for at the service's own host; it gets " +
            "`?code=` for `POST /api/v1/auth/sso/exchange`. Asked for at such a dashboard's host, it goes on at the service's own.",
        },
      },
    )
    .get(
      "/callback",
      async ({ request }) => {
        const caller = callerOf(request);
        await limits.takeAddress(caller);
        const answer = new URL(request.url).searchParams;
        return redirect(await signIn.callback(answer, request.headers.get("cookie"), caller));
      },
      {
        public: true,
        query: SsoCallbackQuery,
        response: { 302: onward("Go on at the dashboard"), ...failures(400, 429) },
        detail: {
          operationId: "finishSso",
          summary: "Finish single sign-on",
          description:
            "Sends the browser to the dashboard: signed in by a cookie where that is on the service's own host, else with " +
            `\`?code=\`. Whatever went wrong is named in \`?error=\`:\n\n${errorList()}`,
        },
      },
    )
    .post(
      "/exchange",
      async ({ body, request }) => {
        const caller = callerOf(request);
        await limits.takeAddress(caller);
        return signIn.exchange(body, caller);
      },
      exchanged,
    );

const exchanged = {
  public: true as const,
  body: SsoExchangeInput,
  response: { 200: AuthSession, ...failures(400, 413, 415, 429) },
  detail: {
    operationId: "exchangeSsoCode",
    summary: "Exchange a code of single sign-on for its session, at a dashboard on another host",
    description:
      "A code is good once, for a minute, and only with the verifier whose challenge the sign-in was begun with; a wrong " +
      "one spends it too.",
  },
};

const onward = (description: string) => t.Void({ description });

function redirect({ location, cookies }: Step): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

function errorList(): string {
  return Object.entries(SSO_ERRORS)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");
}
