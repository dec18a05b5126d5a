import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, orgId, primaryId } from "./columns";

export const auditLogs = pgTable(
  "audit_logs",
  {
    id: primaryId(),
    orgId: orgId(),
    /** `link.create`, `api_key.revoke`, … */
    action: text("action").notNull(),
    resourceType: text("resource_type").notNull(),
    resourceId: text("resource_id").notNull(),
    actorType: text("actor_type", { enum: ["user", "apiKey", "system"] }).notNull(),
    actorId: uuid("actor_id"),
    actorEmail: text("actor_email"),
    ip: text("ip"),
    userAgent: text("user_agent"),
    changes: jsonb("changes").$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    index("audit_logs_org").on(table.orgId, table.id),
    index("audit_logs_org_resource").on(table.orgId, table.resourceType, table.resourceId),
  ],
);
