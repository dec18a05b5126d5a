import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instantColumn, orgId, primaryId } from "../columns";
import { organizations } from "./organizations";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** The first characters, to tell keys apart in a list. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the key; the key itself is shown once and stored nowhere. */
    hash: bytes("hash").notNull().unique(),
    scopes: text("scopes").array().notNull(),
    createdBy: uuid("created_by"),
    createdAt: createdAt(),
    expiresAt: instantColumn("expires_at"),
    lastUsedAt: instantColumn("last_used_at"),
    revokedAt: instantColumn("revoked_at"),
  },
  (table) => [index("api_keys_org").on(table.orgId, table.id)],
);
