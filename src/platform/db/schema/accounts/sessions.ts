import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instantColumn, primaryId } from "../columns";
import { organizations } from "./organizations";
import { users } from "./users";

export const sessions = pgTable(
  "sessions",
  {
    id: primaryId(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whose identity provider vouched for the user: the session reaches that organization and no other. */
    ssoOrgId: uuid("sso_org_id").references(() => organizations.id, { onDelete: "cascade" }),
    ip: text("ip"),
    userAgent: text("user_agent"),
    createdAt: createdAt(),
    /** This is updated at most once a minute. */
    lastUsedAt: instantColumn("last_used_at"),
    expiresAt: instantColumn("expires_at").notNull(),
    revokedAt: instantColumn("revoked_at"),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expires").on(table.expiresAt)],
);
