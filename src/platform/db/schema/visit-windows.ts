/**
 * Marks of the last minutes that the processes judging clicks share; see `clicks/enrich/shared-marks`. Not logged: a
 * crash empties it.
 */
import { bigint, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { instantColumn, orgId } from "./columns";

export const visitWindows = pgTable(
  "visit_windows",
  {
    orgId: orgId(),
    /** A hash that identifies who visits what. */
    key: bigint("key", { mode: "number" }).notNull(),
    /** Minutes since 1970. */
    minute: bigint("minute", { mode: "number" }).notNull(),
    /** In the order in which they were noted. */
    marks: bigint("marks", { mode: "number" }).array().notNull(),
    /** When each mark was noted, in microseconds since 1970. */
    noted: bigint("noted", { mode: "number" }).array().notNull(),
    updatedAt: instantColumn("updated_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ name: "visit_windows_pk", columns: [table.orgId, table.key, table.minute] })],
);
