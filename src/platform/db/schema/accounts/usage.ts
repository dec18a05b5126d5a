/** How many requests of the API each organization has made, by month of UTC. */
import { bigint, date, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { orgId } from "../columns";
import { organizations } from "./organizations";

export const requestUsage = pgTable(
  "request_usage",
  {
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    /** A month is stored as its first day. */
    month: date("month", { mode: "string" }).notNull(),
    requests: bigint("requests", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.month] })],
);
