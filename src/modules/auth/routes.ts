import { Elysia } from "elysia";
import { AuthSession, LoginInput, Registration, SignedOut } from "@/contract/accounts/auth";
import { LoginAnswer } from "@/contract/accounts/two-factor";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import type { AuthService } from "./service";
import type { WithBrowserCookies } from "./sessions/sessions";

export const authRoutes = (auth: AuthService, callerOf: CallerOf, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth", tags: ["Accounts"] })
    .use(guard)
    .post(
      "/register",
      async ({ body, request, set, status }) =>
        status(201, setBrowserCookies(set, await auth.register(body, callerOf(request)))),
      {
        public: true,
        body: Registration,
        response: { 201: AuthSession, ...failures(400, 403, 409, 413, 415, 429, 503) },
        detail: {
          operationId: "register",
          summary: "Register an account and its organization",
          description:
            "With an `inviteToken`, no organization is created: the account joins the organization that sent the invitation. " +
            "If the operator has closed registration or limited it to invitations, everyone else gets 403. If the service " +
            "sends mail, confirm the address afterwards: see `POST /api/v1/auth/verify-email`.",
        },
      },
    )
    .post(
      "/login",
      async ({ body, request, set }) => setBrowserCookies(set, await auth.login(body, callerOf(request))),
      {
        public: true,
        body: LoginInput,
        response: { 200: LoginAnswer, ...failures(400, 401, 413, 415, 429, 503) },
        detail: {
          operationId: "login",
          summary: "Sign in",
          description:
            "If two-factor is enabled, the response is a challenge instead of a session; exchange it, with a code, at `POST " +
            "/api/v1/auth/login/2fa`. Limits: five wrong passwords a minute per account from one address and a hundred from " +
            "all addresses, and thirty requests a minute per address across all operations that need no credentials yet " +
            "(register, sign in, reset a password). Browsers receive a cookie that signs nobody in: while a browser sends it " +
            "back, wrong passwords from elsewhere do not lock it out.",
        },
      },
    )
    .get("/me", ({ user }) => auth.me(user), {
      user: true,
      response: { 200: AuthSession, ...failures(401, 403) },
      detail: {
        operationId: "getMe",
        summary: "Get the signed-in user and their organizations",
        description: "The response repeats the token of the request.",
      },
    })
    .post(
      "/logout",
      async ({ user }) => {
        await auth.logout(user);
        return { signedOut: true as const };
      },
      {
        user: true,
        response: { 200: SignedOut, ...failures(401, 403) },
        detail: {
          operationId: "logout",
          summary: "End the current session",
          description: "The token is refused immediately. The user's other sessions continue.",
        },
      },
    );

interface Answering {
  headers: { "set-cookie"?: string | string[] };
}

/** Sets the cookies that make the browser known, and returns the response body. */
export function setBrowserCookies<Answer>(
  { headers }: Answering,
  { answer, cookies }: WithBrowserCookies<Answer>,
): Answer {
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return answer;
}
