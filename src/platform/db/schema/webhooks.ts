/** Endpoints that customers are told at of what happens, and what they were told, or are to be. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./accounts/organizations";
import { bytes, createdAt, instantColumn, orgId, primaryId, updatedAt } from "./columns";

export const webhooks = pgTable(
  "webhooks",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    description: text("description"),
    events: text("events").array().notNull(),
    isActive: boolean("is_active").notNull().default(true),
    /** Whether what happens within a second is told in one message. */
    batch: boolean("batch").notNull().default(false),
    /** `whsec_…`, sealed; shown once. */
    secret: bytes("secret").notNull(),
    /** Its last characters, to tell secrets apart. */
    secretHint: text("secret_hint").notNull(),
    /** Signs beside the present one until then. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: instantColumn("previous_secret_until"),
    /** Since when every delivery has failed; null after one that did not. */
    failingSince: instantColumn("failing_since"),
    /** While deliveries fail, when the last one was allowed. */
    triedAt: instantColumn("tried_at"),
    /** The server that works off its line, and until when nobody else does. */
    leasedBy: uuid("leased_by"),
    leasedUntil: instantColumn("leased_until"),
    /** Pending deliveries as of the last count, where they are too many to count whenever somebody looks. */
    pendingCounted: integer("pending_counted").notNull().default(0),
    /** Deliveries that were given up unsent, ever. */
    dropped: bigint("dropped", { mode: "number" }).notNull().default(0),
    /** Why the service turned it off by itself; null when a person did. */
    disabledReason: text("disabled_reason"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("webhooks_org").on(table.orgId, table.id)],
);

/**
 * Has no foreign key: a webhook is deleted at once, what it was told in batches after that (`webhookId` names no webhook
 * meanwhile).
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: primaryId(),
    orgId: orgId(),
    webhookId: uuid("webhook_id").notNull(),
    /** `batch` where several messages are sent as one. */
    event: text("event").notNull(),
    /** In the body; 1 unless it is a batch. */
    messages: integer("messages").notNull().default(1),
    /** The message's id, the same for every endpoint and attempt. */
    messageId: uuid("message_id").notNull(),
    /** The raw JSON that is sent and signed. */
    body: text("body").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed", "dropped"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    /** When it is to be tried next; null once it has ended. To the microsecond: what is written together is due in its order. */
    dueAt: timestamp("due_at", { withTimezone: true, precision: 6, mode: "date" }),
    lastAttemptAt: instantColumn("last_attempt_at"),
    /** HTTP status of the last answer; null when there was none. */
    responseStatus: integer("response_status"),
    responseBody: text("response_body"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
    deliveredAt: instantColumn("delivered_at"),
  },
  (table) => [
    /** Each endpoint's line: its head is one step, however long it or any other line is. */
    index("webhook_deliveries_line").on(table.webhookId, table.dueAt, table.id).where(sql`${table.status} = 'pending'`),
    index("webhook_deliveries_status").on(table.webhookId, table.status, table.id),
    index("webhook_deliveries_webhook").on(table.webhookId, table.id),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);
