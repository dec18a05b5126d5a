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
import { inBrowser } from "../routes";
import type { Challenges } from "./challenges";
import type { TwoFactor } from "./two-factor";

const OWN_SESSIONS = "Not for sessions of single sign-on.";

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
      async ({ body, request, set }) => inBrowser(set, await challenges.answer(body, callerOf(request))),
      {
        public: true,
        body: TwoFactorLoginInput,
        response: { 200: AuthSession, ...failures(400, 401, 413, 415, 429) },
        detail: {
          operationId: "loginTwoFactor",
          summary: "Complete a sign-in with its second factor",
          description:
            "A code works once, and so does the challenge: it ends with its success, after five tries, or after five minutes. " +
            "An account bears thirty wrong codes an hour, ten of them from one address, and any number of recovery codes.",
        },
      },
    )
    .get("/2fa", ({ user }) => twoFactor.status(user), {
      user: true,
      response: { 200: TwoFactorStatus, ...failures(401, 403) },
      detail: {
        operationId: "getTwoFactor",
        summary: "Get the two-factor status",
        description: "Whether sign-in asks for a second factor.",
      },
    })
    .post("/2fa/setup", ({ user }) => twoFactor.setup(user), {
      user: true,
      response: { 200: TwoFactorSetup, ...failures(401, 403, 409) },
      detail: {
        operationId: "setUpTwoFactor",
        summary: "Set up an authenticator app",
        description:
          "TOTP with SHA-1, six digits and 30 seconds. Nothing is asked for at sign-in until it is enabled; called again " +
          "before that, a new secret replaces the old one. " +
          OWN_SESSIONS,
      },
    })
    .post("/2fa/enable", ({ user, body }) => twoFactor.enable(user, body.code), {
      user: true,
      body: CodeInput,
      response: { 200: TwoFactorEnabled, ...failures(400, 401, 403, 409, 413, 415) },
      detail: {
        operationId: "enableTwoFactor",
        summary: "Enable two-factor with a first code",
        description: `Ends all other sessions of the user, which were opened without it. ${OWN_SESSIONS}`,
      },
    })
    .post("/2fa/disable", ({ user, body }) => twoFactor.disable(user, body), {
      user: true,
      body: DisableTwoFactorInput,
      response: { 200: TwoFactorStatus, ...failures(400, 401, 403, 409, 413, 415, 429) },
      detail: {
        operationId: "disableTwoFactor",
        summary: "Disable two-factor",
        description:
          "With the password and a code, or a recovery code; five wrong ones a minute. Ends every session of the user, the " +
          `calling one too: sign in anew. ${OWN_SESSIONS}`,
      },
    });
