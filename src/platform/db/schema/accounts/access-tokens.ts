import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instantColumn, orgId, primaryId } from "../columns";
import { memberships } from "./memberships";
import { organizations } from "./organizations";

/**
 * A token belongs to a membership, so it never outlives it: a user who leaves and comes back does not get earlier
 * tokens back.
 */
export const accessTokens = pgTable(
  "access_tokens",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    membershipId: uuid("membership_id")
      .notNull()
      .references(() => memberships.id, { onDelete: "cascade" }),
    /** Whether the organization's identity provider opened the session that made it. */
    isMadeBySso: boolean("is_made_by_sso").notNull(),
    name: text("name").notNull(),
    /** The first characters, to tell tokens apart in a list. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the token; the token itself is shown once and stored nowhere. */
    hash: bytes("hash").notNull().unique(),
    scopes: text("scopes").array().notNull(),
    createdAt: createdAt(),
    expiresAt: instantColumn("expires_at").notNull(),
    /** Updated at most once a minute. */
    lastUsedAt: instantColumn("last_used_at"),
    revokedAt: instantColumn("revoked_at"),
  },
  (table) => [
    index("access_tokens_org").on(table.orgId, table.id),
    index("access_tokens_membership").on(table.membershipId),
    index("access_tokens_expires").on(table.expiresAt),
  ],
);
