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
    /** The organization whose identity provider vouched for the user: the session reaches only that organization. */
    ssoOrgId: uuid("sso_org_id").references(() => organizations.id, { onDelete: "cascade" }),
    ip: text("ip"),
    userAgent: text("user_agent"),
    createdAt: createdAt(),
    /** Updated at most once a minute. */
    lastUsedAt: instantColumn("last_used_at"),
    expiresAt: instantColumn("expires_at").notNull(),
    revokedAt: instantColumn("revoked_at"),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expires").on(table.expiresAt)],
);
