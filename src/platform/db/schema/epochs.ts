import { sql } from "drizzle-orm";
import { boolean, check, pgSequence, pgTable, text, uuid } from "drizzle-orm/pg-core";

/**
 * Has one row, which names the history of this database that copies of its rows belong to
 * (`platform/db/connection/history.ts`).
 */
export const epochs = pgTable(
  "epochs",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    id: uuid("id").notNull(),
    /** The signs of the history when it began. */
    signs: text("signs").notNull(),
  },
  (table) => [check("epochs_only", sql`${table.isOnly}`)],
);

/** Counts the beats of servers. After a restore, it continues from an earlier value. */
export const epochTicks = pgSequence("epoch_ticks");
