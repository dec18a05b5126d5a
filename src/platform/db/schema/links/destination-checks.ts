/**
 * The results of requesting links' destinations from time to time. Those of destinations that links no longer have
 * are deleted.
 */
import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn, orgId } from "../columns";
import { links } from "./links";

export const destinationChecks = pgTable(
  "destination_checks",
  {
    linkId: uuid("link_id")
      .notNull()
      .references(() => links.id, { onDelete: "cascade" }),
    /** SHA-256 of the URL. */
    urlHash: bytes("url_hash").notNull(),
    orgId: orgId(),
    url: text("url").notNull(),
    /** `broken`: it responded that there is nothing (404, 410, 5xx); `unreachable`: it did not respond. */
    status: text("status", { enum: ["ok", "broken", "unreachable"] }).notNull(),
    httpStatus: integer("http_status"),
    error: text("error"),
    /** Since when no check has resulted in `ok`. */
    failingSince: instantColumn("failing_since"),
    /** Consecutive checks that did not result in `ok`. */
    failures: integer("failures").notNull().default(0),
    checkedAt: instantColumn("checked_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.urlHash] }),
    /** Covers the dead destinations (`isDead`). */
    index("destination_checks_dead")
      .on(table.orgId, table.linkId)
      .where(sql`${table.status} <> 'ok' and ${table.failures} >= 2`),
  ],
);
