import { index, pgTable } from "drizzle-orm/pg-core";
import { bytes, instantColumn } from "./columns";

/**
 * Visits that were erased, by a keyed hash of the id that each had: so a spool that is applied again does not bring them back.
 * Nothing ties a row to an organization, a visitor or what became of the visit, and it goes after a day.
 */
export const erasedVisits = pgTable(
  "erased_visits",
  {
    hash: bytes("hash").primaryKey(),
    erasedAt: instantColumn("erased_at").notNull().defaultNow(),
  },
  (table) => [index("erased_visits_erased_at").on(table.erasedAt)],
);
