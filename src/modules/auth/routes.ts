import { Elysia } from "elysia";
import { AuthSession, LoginInput, Registration, SignedOut } from "@/contract/accounts/auth";
import { LoginAnswer } from "@/contract/accounts/two-factor";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import type { AuthService } from "./service";
import type { InBrowser } from "./sessions/sessions";

export const authRoutes = (auth: AuthService, callerOf: CallerOf, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth", tags: ["Accounts"] })
    .use(guard)
    .post(
      "/register",
      async ({ body, request, set, status }) =>
        status(201, inBrowser(set, await auth.register(body, callerOf(request)))),
      {
        public: true,
        body: Registration,
        response: { 201: AuthSession, ...failures(400, 403, 409, 413, 415, 429) },
        detail: {
          operationId: "register",
          summary: "Register an account with its organization",
          description:
            "With an `inviteToken` no organization is made: the account joins the one that invited it. " +
            "Where the operator has registration closed, or open to the invited alone, others are answered 403. Where the " +
            "service sends mail, the address is to be confirmed by it: see `POST /api/v1/auth/verify-email`.",
        },
      },
    )
    .post("/login", async ({ body, request, set }) => inBrowser(set, await auth.login(body, callerOf(request))), {
      public: true,
      body: LoginInput,
      response: { 200: LoginAnswer, ...failures(400, 401, 413, 415, 429) },
      detail: {
        operationId: "login",
        summary: "Sign in",
        description:
          "Where two-factor is enabled, a challenge is answered in place of the session: `POST /api/v1/auth/login/2fa` " +
          "exchanges it and a code for the session. An account takes five wrong passwords a minute from one address and a " +
          "hundred from all; an address may ask thirty times a minute for anything that needs no credentials yet: register, " +
          "sign in, reset a password. A browser is given a cookie that signs nobody in: as long as it brings it back, wrong " +
          "passwords from elsewhere do not keep it out.",
      },
    })
    .get("/me", ({ user }) => auth.me(user), {
      user: true,
      response: { 200: AuthSession, ...failures(401) },
      detail: {
        operationId: "getMe",
        summary: "Get the signed-in user and their organizations",
        description: "The answer repeats the token it was asked with.",
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
        response: { 200: SignedOut, ...failures(401) },
        detail: {
          operationId: "logout",
          summary: "End this session",
          description: "The token is refused from now on. Other sessions of the user go on.",
        },
      },
    );

interface Answering {
  headers: { "set-cookie"?: string | string[] };
}

/** The answer, on its way with the cookies by which the browser is known. */
export function inBrowser<Answer>({ headers }: Answering, { answer, cookies }: InBrowser<Answer>): Answer {
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return answer;
}
