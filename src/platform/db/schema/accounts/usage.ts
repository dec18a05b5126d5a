/** The number of API requests that each organization has made, by month (UTC). */
import { bigint, date, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { orgId } from "../columns";
import { organizations } from "./organizations";

export const requestUsage = pgTable(
  "request_usage",
  {
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    /** Stored as the first day of the month. */
    month: date("month", { mode: "string" }).notNull(),
    requests: bigint("requests", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.month] })],
);
