import { Elysia } from "elysia";
import { AuthSession } from "@/contract/accounts/auth";
import {
  CodeInput,
  DisableTwoFactorInput,
  TwoFactorEnabled,
  TwoFactorLoginInput,
  TwoFactorSetup,
  TwoFactorStatus,
} from "@/contract/accounts/two-factor";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import { setBrowserCookies } from "../routes";
import type { Challenges } from "./challenges";
import type { TwoFactor } from "./two-factor";

const OWN_SESSIONS = "Not available to single sign-on sessions.";

export interface TwoFactorRoutesOptions {
  twoFactor: TwoFactor;
  challenges: Challenges;
  callerOf: CallerOf;
}

export const twoFactorRoutes = ({ twoFactor, challenges, callerOf }: TwoFactorRoutesOptions, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth", tags: ["Accounts"] })
    .use(guard)
    .post(
      "/login/2fa",
      async ({ body, request, set }) => setBrowserCookies(set, await challenges.answer(body, callerOf(request))),
      {
        public: true,
        body: TwoFactorLoginInput,
        response: { 200: AuthSession, ...failures(400, 401, 413, 415, 429, 503) },
        detail: {
          operationId: "loginTwoFactor",
          summary: "Complete a sign-in with a second factor",
          description:
            "A code works once. The challenge ends when it succeeds, after five attempts, or after five minutes. An account " +
            "accepts thirty wrong codes an hour, ten of them from one address; recovery codes are not limited.",
        },
      },
    )
    .get("/2fa", ({ user }) => twoFactor.status(user), {
      user: true,
      response: { 200: TwoFactorStatus, ...failures(401, 403) },
      detail: {
        operationId: "getTwoFactor",
        summary: "Get the two-factor status",
        description: "Returns whether sign-in requires a second factor.",
      },
    })
    .post("/2fa/setup", ({ user }) => twoFactor.setup(user), {
      user: true,
      response: { 200: TwoFactorSetup, ...failures(401, 403, 409) },
      detail: {
        operationId: "setUpTwoFactor",
        summary: "Set up an authenticator app",
        description:
          "TOTP with SHA-1, six digits and 30 seconds. Sign-in does not ask for a code until you enable two-factor. Calling " +
          "this again before that replaces the secret. " +
          OWN_SESSIONS,
      },
    })
    .post("/2fa/enable", ({ user, body }) => twoFactor.enable(user, body.code), {
      user: true,
      body: CodeInput,
      response: { 200: TwoFactorEnabled, ...failures(400, 401, 403, 409, 413, 415) },
      detail: {
        operationId: "enableTwoFactor",
        summary: "Enable two-factor authentication",
        description:
          "Confirms the set-up with a first code and ends the user's access tokens and all other sessions, since they were " +
          `opened without a second factor. ${OWN_SESSIONS}`,
      },
    })
    .post("/2fa/disable", ({ user, body }) => twoFactor.disable(user, body), {
      user: true,
      body: DisableTwoFactorInput,
      response: { 200: TwoFactorStatus, ...failures(400, 401, 403, 409, 413, 415, 429) },
      detail: {
        operationId: "disableTwoFactor",
        summary: "Disable two-factor authentication",
        description:
          "Requires the password and a code or recovery code; five wrong attempts a minute are allowed. Ends every session " +
          `and access token of the user, including the calling session: sign in again. ${OWN_SESSIONS}`,
      },
    });
