import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { Plan } from "@/contract/accounts/plans";
import { createdAt, instantColumn, primaryId, updatedAt } from "../columns";

export const organizations = pgTable(
  "organizations",
  {
    id: primaryId(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    branding: jsonb("branding").$type<Record<string, string>>().notNull().default({}),
    settings: jsonb("settings").$type<Record<string, unknown>>().notNull().default({}),
    plan: text("plan").$type<Plan>().notNull(),
    /** Grows with every change of domains, apps or settings that any of its links depends on: see `link-cache`. */
    routingVersion: integer("routing_version").notNull().default(1),
    routingUpdatedAt: instantColumn("routing_updated_at").notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  /** What a server that missed changes reads. */
  (table) => [index("organizations_routing_updated").on(table.routingUpdatedAt)],
);

/**
 * Organizations that an operator has deleted, for servers that were not listening at that moment: they find no row
 * that tells them. Never deleted, because a restored organization and its links continue from this version, the
 * highest that any of them had.
 */
export const deletedOrganizations = pgTable("deleted_organizations", {
  id: uuid("id").primaryKey(),
  routingVersion: integer("routing_version").notNull(),
  deletedAt: instantColumn("deleted_at").notNull(),
});
