import { pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt } from "./columns";

/** Secrets all servers share and that outlive `APP_SECRET`, such as the one visitor keys are made with. */
export const secrets = pgTable("secrets", {
  name: text("name").primaryKey(),
  value: bytes("value").notNull(),
  createdAt: createdAt(),
});
