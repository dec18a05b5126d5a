/** Periodic work, of which one server does each piece: whoever holds its lease. */
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";

export const periodicJobs = pgTable("periodic_jobs", {
  name: text("name").primaryKey(),
  dueAt: instantColumn("due_at").notNull(),
  /** Who does it, and until when nobody else may; absent: nobody does. */
  leasedBy: uuid("leased_by"),
  leasedUntil: instantColumn("leased_until"),
});
