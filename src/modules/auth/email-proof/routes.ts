import { Elysia } from "elysia";
import { EmailProofRequested, EmailVerified, VerifyEmailInput } from "@/contract/accounts/email-proof";
import type { Guard } from "@/http/access";
import type { CallerOf } from "@/http/caller";
import { failures } from "@/http/document/openapi-responses";
import type { EmailProof } from "./email-proof";

export const emailProofRoutes = (emailProof: EmailProof, callerOf: CallerOf, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/auth/verify-email", tags: ["Accounts"] })
    .use(guard)
    .post(
      "",
      async ({ body, request }) => {
        await emailProof.use(body, callerOf(request));
        return { verified: true as const };
      },
      {
        public: true,
        body: VerifyEmailInput,
        response: { 200: EmailVerified, ...failures(400, 413, 415, 429, 503) },
        detail: {
          operationId: "verifyEmail",
          summary: "Verify an email address",
          description:
            "If the service sends mail, new accounts must confirm their address with the token from the mail. Until then, an " +
            "account cannot invite members or enable two-factor, and after a day anyone else can register the address; a " +
            "password reset makes the account start afresh. The token does not sign anyone in, and sending it again is safe.",
        },
      },
    )
    .post(
      "/resend",
      async ({ user, request }) => {
        await emailProof.askAgain(user, callerOf(request));
        return { requested: true as const };
      },
      {
        user: true,
        response: { 200: EmailProofRequested, ...failures(401, 403, 409, 429) },
        detail: {
          operationId: "resendEmailVerification",
          summary: "Resend the verification mail",
          description:
            "Limits: three mails an hour and twelve a day to one address, and sixty an hour from one network (/24, /64), " +
            "shared with password reset mails. Earlier links keep working. Returns 409 if there is nothing to confirm. Not " +
            "available to single sign-on sessions.",
        },
      },
    );
