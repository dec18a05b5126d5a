/** Accounts and sessions. */
import { type Static, Type } from "@sinclair/typebox";
import { id, optional, shape, shown, text } from "../schema";
import { Organization } from "./organizations";

/** As answers tell it: not checked by the format, which knows fewer emails than are in use. */
export const emailTold = Type.String({ documentedFormat: "email", examples: ["ada@example.com"] });

/** What is written around an address, controls, and characters that nobody sees. */
const NOT_IN_EMAILS = String.raw`\s@<>()[\]\\,;:"\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f`;

export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  documentedFormat: "email",
  pattern: String.raw`^[^${NOT_IN_EMAILS}]+@[^${NOT_IN_EMAILS}.]+(\.[^${NOT_IN_EMAILS}.]+)*$`,
  examples: ["ada@example.com"],
  error: "expected an email address of at most 254 characters",
});

export const password = (minLength: number) =>
  Type.String({
    minLength,
    maxLength: 128,
    error: `expected ${minLength} to 128 characters`,
    examples: ["correct horse battery"],
  });

export const User = shape(
  {
    _id: id(),
    email: emailTold,
    name: shown("Ada Lovelace", Type.String()),
    twoFactorEnabled: Type.Boolean({
      description: "Whether the account has two-factor enabled; always false in single sign-on sessions",
    }),
    emailVerified: shown(
      true,
      Type.Boolean({
        description:
          "False until the address is confirmed with the link from the mail; true if the service does not require it",
      }),
    ),
  },
  { $id: "User" },
);
export type User = Static<typeof User>;

export const AuthSession = shape(
  {
    token: Type.String({
      description: "Session token for `Authorization: Bearer`",
      examples: ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk4ZjJiMCJ9.3v0Qm1y8cZ7kL5s2d9fT4hXwN6bRjUeGaPiOoVtKxYs"],
    }),
    user: User,
    organizations: Type.Array(Organization),
  },
  { $id: "AuthSession" },
);
export type AuthSession = Static<typeof AuthSession>;

/** Whom an invitation was sent to takes it with a new account or when signing in. */
export const inviteToken = text(
  128,
  1,
  "Token of an invitation sent to exactly this email; registering or signing in accepts it",
);

const account = { name: shown("Ada Lovelace", text(120, 1)), email, password: password(8) };
/** Of a union's branches: Elysia would close them, and refuse unlisted fields in place of dropping them. */
const OPEN = { additionalProperties: true };

export const RegisterInput = shape(
  { ...account, organizationName: shown("Acme", text(120, 1)), inviteToken: optional(inviteToken) },
  { $id: "RegisterInput", ...OPEN },
);

export const InvitedRegisterInput = shape(
  { ...account, organizationName: optional(text(120, 0, "Not needed and ignored")), inviteToken },
  { $id: "InvitedRegisterInput", ...OPEN },
);

/** Where neither fits, the one that comes nearer names what is wrong; the first one in doubt. */
export const Registration = Type.Union([RegisterInput, InvitedRegisterInput]);
export type Registration = Static<typeof Registration>;

export const LoginInput = shape(
  { email, password: password(1), inviteToken: optional(inviteToken) },
  { $id: "LoginInput" },
);
export type LoginInput = Static<typeof LoginInput>;

export const SignedOut = shape({ signedOut: Type.Literal(true) }, { $id: "SignedOut" });
