/** The endpoints to which customers have events sent, and the deliveries to them, made or pending. */
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
    /** Whether the events of a second are sent in one message. */
    batch: boolean("batch").notNull().default(false),
    /** `whsec_…`, sealed; shown once. */
    secret: bytes("secret").notNull(),
    /** The secret's last characters, to tell secrets apart. */
    secretHint: text("secret_hint").notNull(),
    /** Those that were replaced and still sign, in the format of `modules/webhooks/secret`, sealed; until the last ends. */
    previousSecret: bytes("previous_secret"),
    previousSecretUntil: instantColumn("previous_secret_until"),
    /** Since when every delivery has failed; null after one that succeeded. */
    failingSince: instantColumn("failing_since"),
    /**
     * While deliveries fail, where the pause before the next attempt begins: at the last one, plus the delay its
     * response requested.
     */
    triedAt: instantColumn("tried_at"),
    /** The server that works through the endpoint's queue, and until when no other may. */
    leasedBy: uuid("leased_by"),
    leasedUntil: instantColumn("leased_until"),
    /** Pending deliveries as of the last count, for endpoints with too many to count on every request. */
    pendingCounted: integer("pending_counted").notNull().default(0),
    /** Deliveries that have been dropped unsent, over the whole life of the webhook. */
    dropped: bigint("dropped", { mode: "number" }).notNull().default(0),
    /** Why the service turned the webhook off; null if a person did. */
    disabledReason: text("disabled_reason"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("webhooks_org").on(table.orgId, table.id)],
);

/**
 * Has no foreign key: a webhook is deleted immediately, its deliveries in batches after that. Until then, their
 * `webhook_id` refers to no webhook.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: primaryId(),
    orgId: orgId(),
    webhookId: uuid("webhook_id").notNull(),
    /** `batch` if several messages are sent as one. */
    event: text("event").notNull(),
    /** The number of messages in the body; 1 unless it is a batch. */
    messages: integer("messages").notNull().default(1),
    /** The message's id, the same for every endpoint and attempt. */
    messageId: uuid("message_id").notNull(),
    /** The raw JSON that is sent and signed. */
    body: text("body").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed", "dropped"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    /**
     * When the delivery is to be tried next; null once it has ended. In microseconds, so that deliveries written
     * together are due in their order.
     */
    dueAt: timestamp("due_at", { withTimezone: true, precision: 6, mode: "date" }),
    lastAttemptAt: instantColumn("last_attempt_at"),
    /** HTTP status of the last response; null if there was none. */
    responseStatus: integer("response_status"),
    responseBody: text("response_body"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
    deliveredAt: instantColumn("delivered_at"),
  },
  (table) => [
    /** Each endpoint's queue: its head is found in one step, however long this or any other queue is. */
    index("webhook_deliveries_line").on(table.webhookId, table.dueAt, table.id).where(sql`${table.status} = 'pending'`),
    index("webhook_deliveries_status").on(table.webhookId, table.status, table.id),
    index("webhook_deliveries_webhook").on(table.webhookId, table.id),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);
