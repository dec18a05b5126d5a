/** Verification of an account's email address: a mail is sent there, and its token is sent back. */
import { type Static, Type } from "@sinclair/typebox";
import { shape, text, withExample } from "../schema";

export const VerifyEmailInput = shape(
  {
    token: withExample(
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk4ZjJiMCJ9.3v0Qm1y8cZ7kL5s2d9fT4hXwN6bRjUeGaPiOoVtKxYs",
      text(1_000, 1, "The token from the mail, after `token=` in its link"),
    ),
  },
  { $id: "VerifyEmailInput" },
);
export type VerifyEmailInput = Static<typeof VerifyEmailInput>;

export const EmailVerified = shape({ verified: Type.Literal(true) }, { $id: "EmailVerified" });

export const EmailProofRequested = shape({ requested: Type.Literal(true) }, { $id: "EmailProofRequested" });
