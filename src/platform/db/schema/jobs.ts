/** Periodic jobs. Each is done by one server, the one that holds its lease. */
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn } from "./columns";

export const periodicJobs = pgTable("periodic_jobs", {
  name: text("name").primaryKey(),
  dueAt: instantColumn("due_at").notNull(),
  /** The server that does the job, and until when no other may; null if none does. */
  leasedBy: uuid("leased_by"),
  leasedUntil: instantColumn("leased_until"),
});
