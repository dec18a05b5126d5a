import { sql } from "drizzle-orm";
import { boolean, check, pgSequence, pgTable, text, uuid } from "drizzle-orm/pg-core";

/** One row: which history of this database copies of its rows are of (`platform/db/history.ts`). */
export const epochs = pgTable(
  "epochs",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    id: uuid("id").notNull(),
    /** By which the history was known when it began. */
    signs: text("signs").notNull(),
  },
  (table) => [check("epochs_only", sql`${table.isOnly}`)],
);

/** Counts beats of servers: a restored one counts on from before. */
export const epochTicks = pgSequence("epoch_ticks");
