/** Accounts and sessions. */
import { type Static, Type } from "@sinclair/typebox";
import { id, optional, shape, text, withExample } from "../schema";
import { Organization } from "./organizations";

/** An email address in a response. Not validated, because addresses in use need not match the pattern. */
export const emailTold = Type.String({ documentedFormat: "email", examples: ["ada@example.com"] });

/** Punctuation that surrounds addresses, control characters and invisible characters. */
const NOT_IN_EMAILS = String.raw`\s@<>()[\]\\,;:"\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f`;

export const EMAIL_LENGTH_MAX = 254;

export const email = Type.String({
  minLength: 3,
  maxLength: EMAIL_LENGTH_MAX,
  documentedFormat: "email",
  pattern: String.raw`^[^${NOT_IN_EMAILS}]+@[^${NOT_IN_EMAILS}.]+(\.[^${NOT_IN_EMAILS}.]+)*$`,
  examples: ["ada@example.com"],
  error: `expected an email address of at most ${EMAIL_LENGTH_MAX} characters`,
});

const password = (minLength: number, description?: string) =>
  withExample("correct horse battery", text(128, minLength, description));

/** A password that is being set. */
export const newPassword = password(
  8,
  "Not one of the 10,000 most common ones, the email address or the service's name",
);

export const User = shape(
  {
    _id: id(),
    email: emailTold,
    name: withExample("Ada Lovelace", Type.String()),
    twoFactorEnabled: Type.Boolean({
      description: "Whether the account has two-factor enabled; always false in single sign-on sessions",
    }),
    emailVerified: withExample(
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

/** Token of an invitation, which registering or signing in accepts. */
export const inviteToken = text(
  128,
  1,
  "Token of an invitation sent to exactly this email; registering or signing in accepts it",
);

const account = { name: withExample("Ada Lovelace", text(120, 1)), email, password: newPassword };
/**
 * For the branches of a union: otherwise Elysia would close them, and refuse unlisted fields instead of dropping
 * them.
 */
const OPEN = { additionalProperties: true };

export const RegisterInput = shape(
  { ...account, organizationName: withExample("Acme", text(120, 1)), inviteToken: optional(inviteToken) },
  { $id: "RegisterInput", ...OPEN },
);

export const InvitedRegisterInput = shape(
  { ...account, organizationName: optional(text(120, 0, "Not needed and ignored")), inviteToken },
  { $id: "InvitedRegisterInput", ...OPEN },
);

/** If neither branch matches, the errors are those of the closer one, or of the first if both are equally close. */
export const Registration = Type.Union([RegisterInput, InvitedRegisterInput]);
export type Registration = Static<typeof Registration>;

export const LoginInput = shape(
  { email, password: password(1), inviteToken: optional(inviteToken) },
  { $id: "LoginInput" },
);
export type LoginInput = Static<typeof LoginInput>;

export const SignedOut = shape({ signedOut: Type.Literal(true) }, { $id: "SignedOut" });
