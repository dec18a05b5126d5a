/** Accounts and sessions (spec §2, §4.1). */
import { type Static, Type } from "@sinclair/typebox";
import { Organization } from "./organizations";
import { id, shape, shown, text } from "./schema";

const email = Type.String({
  minLength: 3,
  maxLength: 254,
  documentedFormat: "email",
  pattern: "^[^\\s@\\x00-\\x1f]+@[^\\s@.]+(\\.[^\\s@.]+)*$",
  examples: ["ada@example.com"],
  error: "expected an email address of at most 254 characters",
});

const password = (minLength: number) =>
  Type.String({
    minLength,
    maxLength: 128,
    error: `expected ${minLength} to 128 characters`,
    examples: ["correct horse battery"],
  });

export const User = shape(
  {
    _id: id(),
    email: shown("ada@example.com", Type.String({ format: "email" })),
    name: shown("Ada Lovelace", Type.String()),
    twoFactorEnabled: Type.Boolean(),
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

export const RegisterInput = shape(
  {
    name: shown("Ada Lovelace", text(120, 1)),
    email,
    password: password(8),
    organizationName: shown("Acme", text(120, 1)),
  },
  { $id: "RegisterInput" },
);
export type RegisterInput = Static<typeof RegisterInput>;

export const LoginInput = shape({ email, password: password(1) }, { $id: "LoginInput" });
export type LoginInput = Static<typeof LoginInput>;

export const SignedOut = shape({ signedOut: Type.Literal(true) }, { $id: "SignedOut" });
