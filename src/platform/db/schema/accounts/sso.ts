/** Single sign-on of organizations (OpenID Connect), and the users that their identity providers have vouched for. */
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

/** A provider's identifier for a user. The same provider in another organization counts as another one. */
export const ssoIdentities = pgTable(
  "sso_identities",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    /**
     * The email and name that the provider states. Of an account that became a member through it, the organization
     * sees only these.
     */
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

/** Sign-ins whose session a dashboard on another host has not fetched yet. */
export const ssoCodes = pgTable(
  "sso_codes",
  {
    id: primaryId(),
    /** SHA-256 of the code, which is only in the browser's address. */
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
