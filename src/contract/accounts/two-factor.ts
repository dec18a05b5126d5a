/** Two-factor authentication. */
import { type Static, Type } from "@sinclair/typebox";
import { optional, shape, text, withExample } from "../schema";
import { AuthSession, inviteToken } from "./auth";

const CHALLENGE = "eyJhbGciOiJIUzI1NiJ9.eyJ0eXAiOiJjaGFsbGVuZ2UifQ.9sQw2mXv1yTzK7cLh5dRf3bNj8gUeAoPiVkCtSxYqZ0";

/** A code as typed by the user: spaces, dashes and case are ignored. */
const code = (description: string) => withExample("492039", text(40, 1, description));

const ANY_CODE = "Six digits from the authenticator app, or a recovery code";

export const TwoFactorStatus = shape({ enabled: Type.Boolean() }, { $id: "TwoFactorStatus" });
export type TwoFactorStatus = Static<typeof TwoFactorStatus>;

export const TwoFactorSetup = shape(
  {
    secret: withExample(
      "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      Type.String({ description: "Base32, for typing in by hand" }),
    ),
    qrCodeDataUrl: withExample(
      "data:image/png;base64,iVBORw0KGgo=",
      Type.String({ description: "The otpauth URL as a QR code, a PNG image" }),
    ),
    otpauthUrl: withExample(
      "otpauth://totp/Waymark:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Waymark",
      Type.String(),
    ),
  },
  { $id: "TwoFactorSetup" },
);
export type TwoFactorSetup = Static<typeof TwoFactorSetup>;

export const CodeInput = shape({ code: code("Six digits from the authenticator app") }, { $id: "CodeInput" });
export type CodeInput = Static<typeof CodeInput>;

export const TwoFactorEnabled = shape(
  {
    enabled: Type.Boolean(),
    recoveryCodes: Type.Array(Type.String(), {
      description: "Shown only once. Each code works once, wherever a code is required",
      examples: [["7k2m-x9qd-4hwt-0vzr", "c3ny-85sj-gb1e-p6fa"]],
    }),
  },
  { $id: "TwoFactorEnabled" },
);
export type TwoFactorEnabled = Static<typeof TwoFactorEnabled>;

export const DisableTwoFactorInput = shape(
  {
    password: optional(withExample("correct horse battery", text(128, 1, "Required"))),
    code: optional(code(`Required. ${ANY_CODE}`)),
  },
  { $id: "DisableTwoFactorInput" },
);
export type DisableTwoFactorInput = Static<typeof DisableTwoFactorInput>;

export const TwoFactorRequired = shape(
  {
    twoFactorRequired: Type.Literal(true),
    challengeToken: Type.String({
      description: "For `POST /api/v1/auth/login/2fa`, within five minutes and five attempts",
      examples: [CHALLENGE],
    }),
  },
  { $id: "TwoFactorRequired" },
);
export type TwoFactorRequired = Static<typeof TwoFactorRequired>;

/** The response to a correct password: a session, or a challenge for the second factor. */
export const LoginAnswer = Type.Union([AuthSession, TwoFactorRequired]);
export type LoginAnswer = Static<typeof LoginAnswer>;

export const TwoFactorLoginInput = shape(
  {
    challengeToken: withExample(CHALLENGE, text(2048, 1, "As returned by sign-in")),
    code: code(ANY_CODE),
    inviteToken: optional(inviteToken),
  },
  { $id: "TwoFactorLoginInput" },
);
export type TwoFactorLoginInput = Static<typeof TwoFactorLoginInput>;
