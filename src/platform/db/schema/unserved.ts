/** Visits that were turned away, by hour and domain, of people and of bots. */
import { boolean, jsonb, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import type { UnservedReason } from "@/contract/analytics/unserved";
import { organizations } from "./accounts/organizations";
import { instantColumn, orgId } from "./columns";

export interface StoredUnserved {
  reason: UnservedReason;
  /** Set if a link refused the visit. */
  linkId?: string;
  /**
   * The requested path, set if no link was found. A row with neither `linkId` nor `address` counts the rest of the
   * hour.
   */
  address?: string;
  count: number;
}

/**
 * One row contains everything that one process has counted in an hour so far. It is always written whole, so writing
 * it twice changes nothing; readers add up the writers.
 */
export const unservedVisits = pgTable(
  "unserved_visits",
  {
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    /** The start of the hour, UTC. */
    hour: instantColumn("hour").notNull(),
    domainId: uuid("domain_id").notNull(),
    isBot: boolean("is_bot").notNull(),
    /** A process, from its start to its end. */
    writer: uuid("writer").notNull(),
    counts: jsonb("counts").$type<StoredUnserved[]>().notNull(),
  },
  (table) => [
    primaryKey({
      name: "unserved_visits_pk",
      columns: [table.orgId, table.hour, table.domainId, table.isBot, table.writer],
    }),
  ],
);
