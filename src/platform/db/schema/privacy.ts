import { index, pgTable } from "drizzle-orm/pg-core";
import { bytes, instantColumn } from "./columns";

/**
 * Visits that were erased, each as a keyed hash of its id, so that a spool that is applied again does not bring them
 * back. Nothing links a row to an organization, a visitor or the outcome of the visit. Rows are deleted after a day.
 */
export const erasedVisits = pgTable(
  "erased_visits",
  {
    hash: bytes("hash").primaryKey(),
    erasedAt: instantColumn("erased_at").notNull().defaultNow(),
  },
  (table) => [index("erased_visits_erased_at").on(table.erasedAt)],
);
