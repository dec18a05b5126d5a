/**
 * Responses to requests with an `Idempotency-Key`, to be sent again. Neither the key nor the body is stored: the key
 * is stored as its SHA-256, the body as an HMAC under the key, so that the row reveals nothing about the body.
 */
import { index, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, createdAt, orgId } from "../columns";

export const idempotentAnswers = pgTable(
  "idempotent_answers",
  {
    orgId: orgId(),
    operation: text("operation").notNull(),
    keyHash: bytes("key_hash").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    /** Null only within the transaction of the request. */
    answer: json("answer"),
    /** Null if the response had none, or was stored by a version that did not keep it. */
    etag: text("etag"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.operation, table.keyHash] }),
    index("idempotent_answers_created").on(table.createdAt),
  ],
);
