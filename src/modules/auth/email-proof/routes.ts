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
        response: { 200: EmailVerified, ...failures(400, 413, 415, 429) },
        detail: {
          operationId: "verifyEmail",
          summary: "Verify an email address with the token from the mail",
          description:
            "Where the service sends mail, a new account is asked to confirm its address. Until it does, it can neither invite " +
            "nor enable two-factor, and after a day the address goes to whoever else registers it; a reset of the password " +
            "makes the account anew. The token signs nobody in, and may be sent again.",
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
          summary: "Send the verification mail again",
          description:
            "Three an hour and twelve a day to one address, and sixty an hour from one network (/24, /64) together with those " +
            "that reset passwords. Earlier links go on working. 409 where there is nothing to confirm. Not for sessions of " +
            "single sign-on.",
        },
      },
    );
