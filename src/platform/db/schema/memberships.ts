import { index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, orgId, primaryId } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

export const memberships = pgTable(
  "memberships",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "admin", "member", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique("memberships_org_user").on(table.orgId, table.userId), index("memberships_user").on(table.userId)],
);
