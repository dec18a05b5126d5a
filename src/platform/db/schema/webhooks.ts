/** Endpoints that customers are told at of what happens, and what they were told, or are to be. */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant, orgId, primaryId, updatedAt } from "./columns";
import { organizations } from "./organizations";

export const webhooks = pgTable(
  "webhooks",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    description: text("description"),
    events: text("events").array().notNull(),
    isActive: boolean("is_active").notNull().default(true),
    /** `whsec_…`, sealed; shown once. */
    secret: bytes("secret").notNull(),
    /** Its last characters, to tell secrets apart. */
    secretHint: text("secret_hint").notNull(),
    /** Signs beside the present one until then. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: instant("previous_secret_until"),
    /** Since when every delivery has failed; null after one that did not. */
    failingSince: instant("failing_since"),
    /** Why the service turned it off by itself; null when a person did. */
    disabledReason: text("disabled_reason"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("webhooks_org").on(table.orgId, table.id)],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: primaryId(),
    orgId: orgId(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    /** The message's own id, the same for each endpoint and each try. */
    messageId: uuid("message_id").notNull(),
    /** The raw JSON that is sent and signed. */
    body: text("body").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    /**
     * When it is to be tried next; of those under way, when whoever tries has been given up. Null once it has ended. To the
     * microsecond: what is written together is due in its order.
     */
    dueAt: timestamp("due_at", { withTimezone: true, precision: 6, mode: "date" }),
    lastAttemptAt: instant("last_attempt_at"),
    /** HTTP status of the last answer; null when there was none. */
    responseStatus: integer("response_status"),
    responseBody: text("response_body"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
    deliveredAt: instant("delivered_at"),
  },
  (table) => [
    index("webhook_deliveries_due").on(table.dueAt).where(sql`${table.status} = 'pending'`),
    /** Each endpoint's line, so that a long one is passed over. */
    index("webhook_deliveries_line").on(table.webhookId, table.dueAt).where(sql`${table.status} = 'pending'`),
    index("webhook_deliveries_webhook").on(table.webhookId, table.id),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);
