import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, orgId, primaryId } from "../columns";

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
    /** The access token that the actor sent, with the name it had then: the token may no longer exist. */
    accessTokenId: uuid("access_token_id"),
    accessTokenName: text("access_token_name"),
    ip: text("ip"),
    userAgent: text("user_agent"),
    changes: jsonb("changes").$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => {
    const { orgId, action, resourceType, actorEmail, createdAt, id } = table;
    // Newest first by each filter, or by none; the other filters are checked in the index, before any entry is read.
    return [
      index("audit_logs_time").on(orgId, createdAt, id),
      index("audit_logs_action").on(orgId, action, createdAt, id, actorEmail, resourceType),
      index("audit_logs_type").on(orgId, resourceType, createdAt, id, actorEmail),
      index("audit_logs_actor").on(orgId, actorEmail, createdAt, id, action, resourceType),
    ];
  },
);
