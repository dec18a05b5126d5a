/** Members of organizations, and invitations: an invitation is a membership that no user has accepted yet. */
import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instantColumn, orgId, primaryId, updatedAt } from "../columns";
import { organizations } from "./organizations";
import { users } from "./users";

export const memberships = pgTable(
  "memberships",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    /** Null while invited. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "admin", "member", "viewer"] }).notNull(),
    /** The address of an invitation in lower case; null once accepted. */
    invitedEmail: text("invited_email"),
    /** SHA-256 of the token, which is shown once. */
    inviteHash: bytes("invite_hash").unique(),
    inviteExpiresAt: instantColumn("invite_expires_at"),
    invitedBy: uuid("invited_by"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("memberships_org_user").on(table.orgId, table.userId),
    uniqueIndex("memberships_org_invited").on(table.orgId, table.invitedEmail),
    index("memberships_user").on(table.userId),
    check("memberships_taken_or_invited", sql`(${table.userId} is null) = (${table.invitedEmail} is not null)`),
  ],
);
