/**
 * Custom events and their figures. `events` is partitioned by month on `occurred_at`, as clicks are (Drizzle does not
 * support partitions; the migrations define them).
 *
 * Unlike figures of clicks, these have names and sums of values, so they have separate tables: by hour and by day, of
 * a link and of the whole organization. Rows are keyed by lane and summed when read, so that requests of one
 * organization do not wait for each other (`platform/db/lanes`).
 */
import { sql } from "drizzle-orm";
import { bigint, index, jsonb, numeric, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instantColumn, orgId } from "./columns";

/**
 * The names of people's leads and of bots' leads among the figures of custom events, whose own names are never blank.
 * Leads have no value.
 */
export const LEADS_NAME = "";
export const BOT_LEADS_NAME = " ";

export const events = pgTable(
  "events",
  {
    id: uuid("id").notNull(),
    occurredAt: instantColumn("occurred_at").notNull(),
    orgId: orgId(),
    linkId: uuid("link_id"),
    name: text("name").notNull(),
    /** The customer's own id for the visitor. */
    visitorId: text("visitor_id"),
    /** With six decimals, so that sums are exact in whatever order they are made. */
    value: numeric("value", { precision: 20, scale: 6, mode: "number" }),
    metadata: jsonb("metadata").$type<Record<string, unknown>>(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.occurredAt, table.id] }),
    index("events_link").on(table.linkId, table.occurredAt),
    /** Few: those that may cancel the values of others, such as refunds. */
    index("events_negative").on(table.orgId, table.occurredAt).where(sql`${table.value} < 0`),
  ],
);

const figures = () => ({
  name: text("name").notNull(),
  lane: smallint("lane").notNull(),
  count: bigint("count", { mode: "number" }).notNull(),
  value: numeric("value", { precision: 38, scale: 6, mode: "number" }).notNull(),
});

/** `link_id` is `WHOLE_ORGANIZATION` for all events of the organization, including those without a link. */
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
