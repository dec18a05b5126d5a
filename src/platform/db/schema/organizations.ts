import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, primaryId, updatedAt } from "./columns";

export const organizations = pgTable("organizations", {
  id: primaryId(),
  name: text("name").notNull(),
  slug: text("slug").notNull().unique(),
  branding: jsonb("branding").$type<Record<string, string>>().notNull().default({}),
  settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
  plan: text("plan").notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
