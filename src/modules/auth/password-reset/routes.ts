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
            "The response is the same whether or not the account exists. The link comes only by mail, works once within an " +
            "hour, and replaces earlier ones. Limits: three mails an hour to one address, only one an hour past twelve a day, " +
            "and sixty requests an hour from one network (/24, /64). If the service does not send mail, its operator resets " +
            "passwords.",
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
        response: { 200: PasswordResetDone, ...failures(400, 413, 415, 429, 503) },
        detail: {
          operationId: "resetPassword",
          summary: "Reset a password",
          description:
            "Sets a new password with the token from the mail and ends every session and access token of the user. The second factor " +
            "stays unchanged. An account whose address was never confirmed starts afresh and keeps nothing.",
        },
      },
    );
