/**
 * Stores custom events and their figures. `events` is partitioned by month on `occurred_at`, as clicks are (drizzle
 * knows no partitions: the migration says it).
 *
 * Figures have names and sums of values, which those of clicks have not, so they stand in tables of their own: by hour and
 * by day, of a link and of the whole organization. Rows are keyed by lane and summed when read, so that requests of one
 * organization do not wait for each other (`platform/db/lanes`).
 */
import { bigint, index, jsonb, numeric, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn, orgId } from "./columns";

/** What leads are called among the figures of custom events, whose own names are never blank. They are worth nothing. */
export const LEADS_NAME = "";

export const events = pgTable(
  "events",
  {
    id: uuid("id").notNull(),
    occurredAt: instantColumn("occurred_at").notNull(),
    orgId: orgId(),
    linkId: uuid("link_id"),
    name: text("name").notNull(),
    /** What the customer calls the visitor. */
    visitorId: text("visitor_id"),
    /** To six decimals, so that sums are exact in whatever order they are made. */
    value: numeric("value", { precision: 20, scale: 6, mode: "number" }),
    metadata: jsonb("metadata").$type<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.occurredAt, table.id] }),
    index("events_link").on(table.linkId, table.occurredAt),
  ],
);

const figures = () => ({
  name: text("name").notNull(),
  lane: smallint("lane").notNull(),
  count: bigint("count", { mode: "number" }).notNull(),
  value: numeric("value", { precision: 38, scale: 6, mode: "number" }).notNull(),
});

/** `link_id` is `WHOLE_ORGANIZATION` for all events of the organization, those without a link among them. */
export const eventRollupsHourly = pgTable(
  "event_rollups_hourly",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), hour: instantColumn("hour").notNull(), ...figures() },
  (table) => [primaryKey({ columns: [table.orgId, table.linkId, table.hour, table.name, table.lane] })],
);

export const eventRollupsDaily = pgTable(
  "event_rollups_daily",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), day: instantColumn("day").notNull(), ...figures() },
  (table) => [primaryKey({ columns: [table.orgId, table.linkId, table.day, table.name, table.lane] })],
);
