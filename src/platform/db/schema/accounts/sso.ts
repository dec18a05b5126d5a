/** Single sign-on of organizations (OpenID Connect), and whom their identity providers have vouched for. */
import { boolean, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instantColumn, orgId, primaryId, updatedAt } from "../columns";
import { organizations } from "./organizations";
import { users } from "./users";

export const ssoConfigurations = pgTable("sso_configurations", {
  orgId: orgId()
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  enabled: boolean("enabled").notNull().default(false),
  issuer: text("issuer"),
  clientId: text("client_id"),
  /** Sealed (`platform/seal`). */
  clientSecret: bytes("client_secret"),
  /** Domains of email addresses, in lower case. */
  allowedDomains: text("allowed_domains").array().notNull().default([]),
  defaultRole: text("default_role", { enum: ["owner", "admin", "member", "viewer"] })
    .notNull()
    .default("viewer"),
  enforce: boolean("enforce").notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** A provider's name for a user. The same provider is another one in another organization. */
export const ssoIdentities = pgTable(
  "sso_identities",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    /** What the provider calls the user: all that its organization is told of an account that it made a member. */
    email: text("email"),
    name: text("name"),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    unique("sso_identities_subject").on(table.orgId, table.issuer, table.subject),
    index("sso_identities_user").on(table.userId),
  ],
);

/** Sign-ins that a dashboard on another host is still to fetch the session of. */
export const ssoCodes = pgTable(
  "sso_codes",
  {
    id: primaryId(),
    /** SHA-256 of the code, which is in the browser's address alone. */
    hash: bytes("hash").notNull().unique(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    issuer: text("issuer").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeChallenge: text("code_challenge").notNull(),
    expiresAt: instantColumn("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("sso_codes_expires").on(table.expiresAt), index("sso_codes_user").on(table.userId)],
);
