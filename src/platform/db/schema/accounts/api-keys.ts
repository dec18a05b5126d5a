import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant, orgId, primaryId } from "../columns";
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
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("api_keys_org").on(table.orgId, table.id)],
);
