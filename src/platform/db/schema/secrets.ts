import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt } from "./columns";

/** Secrets that all servers share and that outlive `APP_SECRET`, such as the one for visitor keys. */
export const secrets = pgTable("secrets", {
  name: text("name").primaryKey(),
  value: bytes("value").notNull(),
  createdAt: createdAt(),
});
