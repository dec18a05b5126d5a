/**
 * Clicks, opens, rollups and the offsets of the spools they come from. `clicks` is partitioned by month on
 * `occurred_at` (drizzle knows no partitions: the migration says it), with a default partition for the unexpected.
 *
 * Rollup rows are keyed by writer and summed when read, so that servers never wait for each other's rows. Each visit is in
 * four of them: of its link and of its whole organization, by hour and by day.
 */
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, createdAt, instant, orgId } from "./columns";

export const clicks = pgTable(
  "clicks",
  {
    id: uuid("id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** First 64 bits of the visitor's HMAC, signed. */
    visitor: bigint("visitor", { mode: "bigint" }).notNull(),
    platform: text("platform").notNull(),
    deviceType: text("device_type"),
    deviceVendor: text("device_vendor"),
    deviceModel: text("device_model"),
    browser: text("browser"),
    os: text("os"),
    osVersion: text("os_version"),
    country: text("country"),
    region: text("region"),
    city: text("city"),
    language: text("language"),
    /** Host of the referring page. */
    referrer: text("referrer"),
    utmSource: text("utm_source"),
    utmMedium: text("utm_medium"),
    utmCampaign: text("utm_campaign"),
    utmTerm: text("utm_term"),
    utmContent: text("utm_content"),
    routeKind: text("route_kind", { enum: ["rule", "split", "store", "default"] }).notNull(),
    ruleIndex: smallint("rule_index"),
    splitKey: text("split_key"),
    /** The chosen target as configured, without what the visit added. */
    destinationUrl: text("destination_url").notNull(),
    isBot: boolean("is_bot").notNull(),
    botReasons: text("bot_reasons").array().notNull(),
    spamScore: smallint("spam_score").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.occurredAt, table.id] }),
    index("clicks_org").on(table.orgId, table.occurredAt),
    index("clicks_link").on(table.linkId, table.occurredAt),
  ],
);

export const opens = pgTable(
  "opens",
  {
    id: uuid("id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    visitor: bigint("visitor", { mode: "bigint" }).notNull(),
    source: text("source", { enum: ["direct", "deferred"] }).notNull(),
    platform: text("platform").notNull(),
    isBot: boolean("is_bot").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.occurredAt, table.id] }),
    index("opens_org").on(table.orgId, table.occurredAt),
    index("opens_link").on(table.linkId, table.occurredAt),
  ],
);

/** What a rollup row counts. Humans and bots apart, so that `includeBots` is a sum. */
export const ROLLUP_METRICS = ["clicks", "bot_clicks", "opens", "bot_opens"] as const;
export type RollupMetric = (typeof ROLLUP_METRICS)[number];

/** `total` has the empty value; the others one row a value. `source` is of opens alone. */
export const ROLLUP_DIMENSIONS = [
  "total",
  "platform",
  "country",
  "city",
  "device",
  "browser",
  "os",
  "referrer",
  "language",
  "source",
] as const;
export type RollupDimension = (typeof ROLLUP_DIMENSIONS)[number];

/** The `link_id` of a rollup or sketch that covers a whole organization. */
export const WHOLE_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

const figures = () => ({
  metric: text("metric", { enum: ROLLUP_METRICS }).notNull(),
  dimension: text("dimension", { enum: ROLLUP_DIMENSIONS }).notNull(),
  value: text("value").notNull(),
  writer: integer("writer").notNull(),
  count: bigint("count", { mode: "number" }).notNull(),
});

/**
 * Figures by hour, of links and of whole organizations. `hour` is the start of the hour, UTC. Unknown values are the empty
 * string.
 */
export const rollupsHourly = pgTable(
  "rollups_hourly",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), hour: instant("hour").notNull(), ...figures() },
  (table) => [
    primaryKey({
      name: "rollups_hourly_pk",
      columns: [table.orgId, table.linkId, table.hour, table.dimension, table.metric, table.value, table.writer],
    }),
  ],
);

/** The same by day of UTC, so that an overview of weeks reads one short range of the key. */
export const rollupsDaily = pgTable(
  "rollups_daily",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), day: instant("day").notNull(), ...figures() },
  (table) => [
    primaryKey({
      name: "rollups_daily_pk",
      columns: [table.orgId, table.linkId, table.day, table.dimension, table.metric, table.value, table.writer],
    }),
  ],
);

const visitors = () => ({
  isBot: boolean("is_bot").notNull(),
  writer: integer("writer").notNull(),
  sketch: bytes("sketch").notNull(),
});

/** Distinct visitors by link (and organization), hour, and human or bot: sketches of `core/uniques`, merged when read. */
export const visitorSketches = pgTable(
  "visitor_sketches",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), hour: instant("hour").notNull(), ...visitors() },
  (table) => [primaryKey({ columns: [table.orgId, table.linkId, table.hour, table.isBot, table.writer] })],
);

/** The same by day of UTC. */
export const visitorSketchesDaily = pgTable(
  "visitor_sketches_daily",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), day: instant("day").notNull(), ...visitors() },
  (table) => [primaryKey({ columns: [table.orgId, table.linkId, table.day, table.isBot, table.writer] })],
);

/** Where each spool's applied part ends. The batch that moves it is fenced: `UPDATE … WHERE segment = … AND position = …`. */
export const spools = pgTable("spools", {
  /** The spool's random id, the name of its folder. */
  id: uuid("id").primaryKey(),
  /** The `writer` of counters and rollups. */
  writer: serial("writer").notNull().unique(),
  segment: integer("segment").notNull().default(0),
  position: bigint("position", { mode: "number" }).notNull().default(0),
  applied: bigint("applied", { mode: "number" }).notNull().default(0),
  createdAt: createdAt(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});
