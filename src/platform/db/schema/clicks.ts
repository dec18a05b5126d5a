/**
 * Clicks, opens, figures and the offsets of the spools they come from. `clicks` is partitioned by month on
 * `occurred_at`, with a default partition for rows that belong to no month's (Drizzle does not support partitions;
 * the migrations define them).
 *
 * Figures are keyed by writer and summed when read, so that servers never wait for each other's rows. Each visit is
 * in four of them: of its link and of its whole organization, by hour and by day.
 */
import { sql } from "drizzle-orm";
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
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { organizations } from "./accounts/organizations";
import { bytes, createdAt, instantColumn, orgId } from "./columns";

export const clicks = pgTable(
  "clicks",
  {
    id: uuid("id").notNull(),
    occurredAt: instantColumn("occurred_at").notNull(),
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
    /** The chosen target as configured, without parameters that the visit added. */
    destinationUrl: text("destination_url").notNull(),
    isBot: boolean("is_bot").notNull(),
    botReasons: text("bot_reasons").array().notNull(),
    spamScore: smallint("spam_score").notNull(),
    /**
     * The verdict of a review; null while pending. Confirmed clicks count nowhere (`COUNTED`); dismissed ones count
     * as human.
     */
    verdict: text("verdict", { enum: ["confirmed", "dismissed"] }),
    reviewedBy: uuid("reviewed_by"),
    reviewedAt: instantColumn("reviewed_at"),
    reviewNote: text("review_note"),
    // In this order, no bytes are lost to alignment after the short `spam_score`.
    /** The offset of the visitor's local time, in minutes east of UTC. */
    utcOffset: smallint("utc_offset"),
    /** The version of the link that served it. */
    linkVersion: integer("link_version"),
    /** Keyed hash of the network the visitor's address is in, signed. */
    addressKey: bigint("address_key", { mode: "bigint" }),
    /** The link's domain; a link never moves to another one. Null in rows from before this column was added. */
    domainId: uuid("domain_id"),
    /** The visitor's languages as the rules saw them, the most preferred first, separated by commas. */
    languages: text("languages"),
    /** The apps that the link offered at the time: App Store id and package, separated by a comma; null for none. */
    offeredApps: text("offered_apps"),
    /** What the link's rules checked of the request, as `core/rules/request-checks` writes it; null for nothing. */
    asked: text("asked"),
    /** The number of the rule that decided, by which the click is counted; null if it equals `rule_index`. */
    ruleNumber: integer("rule_number"),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.occurredAt, table.id] }),
    index("clicks_link").on(table.linkId, table.occurredAt),
    /** The abuse queue, newest first, because ids are in the order of time. The score is `ABUSE_SCORE_MIN`. */
    index("clicks_abuse").on(table.orgId, table.verdict, table.id).where(sql`${table.spamScore} >= 70`),
  ],
);

/** Clicks with this spam score or a higher one are reviewed. */
export const ABUSE_SCORE_MIN = 70;

export const opens = pgTable(
  "opens",
  {
    id: uuid("id").notNull(),
    occurredAt: instantColumn("occurred_at").notNull(),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    visitor: bigint("visitor", { mode: "bigint" }).notNull(),
    source: text("source", { enum: ["direct", "deferred"] }).notNull(),
    platform: text("platform").notNull(),
    isBot: boolean("is_bot").notNull(),
    /**
     * Set while the click that the open was claimed from is confirmed as abuse, and then it counts nowhere (`COUNTED`).
     * Earlier releases marked such opens as a bot's instead.
     */
    verdict: text("verdict", { enum: ["confirmed"] }),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.occurredAt, table.id] }),
    index("opens_link").on(table.linkId, table.occurredAt),
  ],
);

/** The values that packed counts refer to by number. A number means the same forever; values are never deleted. */
export const figureValues = pgTable(
  "figure_values",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    /** The code of the dimension: see `figures/keys`. */
    dimension: smallint("dimension").notNull(),
    /** Empty if unknown. */
    value: text("value").notNull(),
  },
  (table) => [unique("figure_values_value").on(table.dimension, table.value)],
);

const figures = () => ({
  isBot: boolean("is_bot").notNull(),
  writer: integer("writer").notNull(),
  clicks: integer("clicks").notNull(),
  opens: integer("opens").notNull(),
  /** Counts for each value of each dimension, packed by `figures/counts`, with the keys of `figures/keys`. */
  counts: bytes("counts").notNull(),
  /** Distinct visitors of clicks: a sketch of `figures/uniques`; null if there are none. */
  visitors: bytes("visitors"),
  /**
   * Only in rows of whole organizations: a random number that each change renews. Data derived from a day's figures
   * is matched by it, because after a restore a row can have the `xmin` and `ctid` of an earlier one. Null until the
   * first change after the column was added.
   */
  revision: bigint("revision", { mode: "bigint" }),
});

/**
 * Figures by hour, of links and of whole organizations, of people and of bots. One row contains all counts, so that a
 * batch changes few rows. `hour` is the start of the hour, UTC.
 */
export const figuresHourly = pgTable(
  "figures_hourly",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), hour: instantColumn("hour").notNull(), ...figures() },
  (table) => [
    primaryKey({
      name: "figures_hourly_pk",
      columns: [table.orgId, table.linkId, table.hour, table.isBot, table.writer],
    }),
    /**
     * Finds the links that have figures in a range. None of these columns ever changes, so updates stay within their
     * page.
     */
    index("figures_hourly_range").on(table.orgId, table.hour, table.linkId).where(sql`not ${table.isBot}`),
  ],
);

/** Figures by day (UTC), so that an overview of weeks reads one short range of the key. */
export const figuresDaily = pgTable(
  "figures_daily",
  { orgId: orgId(), linkId: uuid("link_id").notNull(), day: instantColumn("day").notNull(), ...figures() },
  (table) => [
    primaryKey({
      name: "figures_daily_pk",
      columns: [table.orgId, table.linkId, table.day, table.isBot, table.writer],
    }),
    index("figures_daily_range").on(table.orgId, table.day, table.linkId).where(sql`not ${table.isBot}`),
  ],
);

/**
 * Whole days of clicks in columns, made from the raw rows once a day is over (`figures/columns`), for queries that
 * would otherwise read all of those. A day has one row per part. It is valid as long as its version is that of the
 * day's figures.
 */
export const clickDays = pgTable(
  "click_days",
  {
    orgId: orgId(),
    day: instantColumn("day").notNull(),
    part: smallint("part").notNull(),
    /** The version of the day's figures when this was made, by `figures/columns/versions`. */
    version: text("version").notNull(),
    /** Already compressed: see `figures/columns/packed-part`. */
    packed: bytes("packed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.day, table.part] })],
);

/**
 * The most clicked links of whole days (`figures/read/links/leaders`), which had to be found among the figures of all
 * links. They are stored for the first ranking of several months' links after a start. They are valid as long as
 * their version is that of the day's figures, which any late click, verdict, erasure or correction renews.
 */
export const leaderDays = pgTable(
  "leader_days",
  {
    orgId: orgId(),
    day: instantColumn("day").notNull(),
    version: text("version").notNull(),
    /**
     * Link ids in ascending order, as Postgres sends `uuid`; `clicks` has their clicks in the same order, as it sends
     * `int4`.
     */
    links: bytes("links").notNull(),
    clicks: bytes("clicks").notNull(),
    /** No other link has more clicks than this. */
    rest: integer("rest").notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.day] })],
);

/**
 * Where the applied part of each spool ends. The batch that moves it is fenced: `UPDATE … WHERE segment = … AND
 * position = …`.
 */
export const spools = pgTable("spools", {
  /** The spool's random id: its folder's name, unless the folder was found to be a copy. */
  id: uuid("id").primaryKey(),
  /** The `writer` in counters and figures. */
  writer: serial("writer").notNull().unique(),
  /** The incarnation of the process that may apply the spool; null if that process reported none. */
  incarnation: uuid("incarnation"),
  segment: integer("segment").notNull().default(0),
  position: bigint("position", { mode: "number" }).notNull().default(0),
  applied: bigint("applied", { mode: "number" }).notNull().default(0),
  /**
   * How often figures were replaced by something other than their writer, which must then forget what it remembers of
   * them.
   */
  sketchResets: integer("sketch_resets").notNull().default(0),
  createdAt: createdAt(),
  updatedAt: instantColumn("updated_at").notNull().defaultNow(),
});

/**
 * What retention has left of raw clicks, opens and events: those before `kept_from`, a midnight in UTC, are deleted
 * or about to be.
 */
export const rawRetention = pgTable("raw_retention", {
  orgId: orgId().primaryKey(),
  keptFrom: instantColumn("kept_from").notNull(),
});

/**
 * Organizations whose figures of earlier days lack the dimensions that an upgrade added, until
 * `figures/verify/fill-figures` has computed them from raw clicks. The migration that adds dimensions inserts or renews
 * a row for each organization. Once all days are filled whose raw clicks are kept, the row goes away, or, if there are
 * figures of earlier days, it stays with `upgradedOn` before `filledFrom`.
 */
export const figureFills = pgTable("figure_fills", {
  orgId: orgId()
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  /**
   * The day of the upgrade, a midnight in UTC. Servers of both releases may have written its figures, so it is filled
   * last.
   */
  upgradedOn: instantColumn("upgraded_on").notNull(),
  /** The days from here to the day of the upgrade are filled. */
  filledFrom: instantColumn("filled_from").notNull(),
});
