import { Elysia } from "elysia";
import {
  PasswordForgottenInput,
  PasswordResetDone,
  PasswordResetInput,
  PasswordResetRequested,
} from "@/contract/accounts/password-reset";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import type { PasswordReset } from "./password-reset";

export const passwordResetRoutes = (passwordReset: PasswordReset, callerOf: CallerOf, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth/password", tags: ["Accounts"] })
    .use(guard)
    .post(
      "/forgot",
      async ({ body, request }) => {
        await passwordReset.request(body.email, callerOf(request));
        return { requested: true as const };
      },
      {
        public: true,
        body: PasswordForgottenInput,
        response: { 200: PasswordResetRequested, ...failures(400, 413, 415, 429) },
        detail: {
          operationId: "requestPasswordReset",
          summary: "Request a password reset",
          description:
            "The answer is the same whether or not there is such an account; the link comes by mail alone, works once, " +
            "within an hour, and replaces earlier ones. Three an hour go to one address, and a network (/24, /64) may ask for sixty. " +
            "Where the service sends no mail, its operator resets passwords.",
        },
      },
    )
    .post(
      "/reset",
      async ({ body, request }) => {
        await passwordReset.use(body, callerOf(request));
        return { reset: true as const };
      },
      {
        public: true,
        body: PasswordResetInput,
        response: { 200: PasswordResetDone, ...failures(400, 413, 415, 429) },
        detail: {
          operationId: "resetPassword",
          summary: "Set a new password with the token from the mail",
          description:
            "Ends every session of the user. A second factor stays as it is. An account whose address was never confirmed is " +
            "made anew: nothing of what was made with it is the new one's.",
        },
      },
    );
