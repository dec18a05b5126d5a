import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, primaryId, updatedAt } from "./columns";

export const users = pgTable("users", {
  id: primaryId(),
  /** Lower-cased. */
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  passwordHash: text("password_hash").notNull(),
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
