/** Forgotten passwords: a reset is requested by email address, and the token from the mail sets a new password. */
import { type Static, Type } from "@sinclair/typebox";
import { shape, text, withExample } from "../schema";
import { email, newPassword } from "./auth";

export const PasswordForgottenInput = shape({ email }, { $id: "PasswordForgottenInput" });
export type PasswordForgottenInput = Static<typeof PasswordForgottenInput>;

export const PasswordResetRequested = shape({ requested: Type.Literal(true) }, { $id: "PasswordResetRequested" });

export const PasswordResetInput = shape(
  {
    token: withExample(
      "pZ2vK8x1Q0mT5nR7sW3yB6dF9hJ4kL-uCeGiOaVtX_Y",
      text(128, 1, "The token from the mail, after `token=` in its link"),
    ),
    password: newPassword,
  },
  { $id: "PasswordResetInput" },
);
export type PasswordResetInput = Static<typeof PasswordResetInput>;

export const PasswordResetDone = shape({ reset: Type.Literal(true) }, { $id: "PasswordResetDone" });
