/**
 * Answers to requests with an `Idempotency-Key`, to be given again. Neither key nor body stands here: the key as its
 * SHA-256, the body as an HMAC under the key, so that nothing of a body can be found out from the row.
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
    /** This is null only within the transaction of the request. */
    answer: json("answer"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.operation, table.keyHash] }),
    index("idempotent_answers_created").on(table.createdAt),
  ],
);
