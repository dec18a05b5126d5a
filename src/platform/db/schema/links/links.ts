/**
 * Stores links, their revisions and their counters. Counters live beside `links`, so that counting never rewrites a wide
 * row: `link_counters` by the batch writer of each server, `link_admissions` by the gate of links with `maxClicks`.
 */
import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { CtaOverlay, LeadCapture, RetargetingPixel } from "@/contract/links/link-pages";
import type { Safety } from "@/contract/links/safety";
import type { Social } from "@/contract/links/social";
import type { MarketingAttribution, RoutingRule, SplitTarget, Utm } from "@/contract/routing";
import { organizations } from "../accounts/organizations";
import { createdAt, instantColumn, orgId, primaryId, updatedAt } from "../columns";
import { domains } from "./domains";

/**
 * A link whose set-up cannot work or may do harm, told without looking at its visits: an unsafe destination, a split of which
 * no target is active, an end before its beginning. An index holds these alone, so whoever asks for them says just this.
 */
export const LINK_MISCONFIGURED = `deleted_at is null and kind = 'link' and (
  safety ->> 'status' in ('unsafe', 'suspicious')
  or (split_targets <> '[]' and not jsonb_path_exists(split_targets, '$[*] ? (!(@.isActive == false) && !(@.weight <= 0))'))
  or expires_at <= greatest(starts_at, created_at))`;

type FreeObject = Record<string, unknown>;

export const links = pgTable(
  "links",
  {
    id: primaryId(),
    /** The number is short enough to fit into a match token. */
    number: bigserial("number", { mode: "number" }).notNull().unique(),
    /** A bio page has a row here as well (`bio-pages.ts`); it is no link to those who list, count or change links. */
    kind: text("kind", { enum: ["link", "bio_page"] })
      .notNull()
      .default("link"),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domains.id),
    appProfileId: uuid("app_profile_id"),
    /** As given, in NFC; `slug_key` and `prefix_key` are what is compared and unique. */
    slug: text("slug").notNull(),
    slugKey: text("slug_key").notNull(),
    pathPrefix: text("path_prefix").notNull().default(""),
    prefixKey: text("prefix_key").notNull().default(""),
    /** Of the whole path, on the shared domain alone; null there for one that was made before it looked like another. */
    lookAlikeKey: text("look_alike_key"),
    title: text("title"),
    /** The customer's own name for it, as in a system that links are kept in; unique among the live ones. */
    externalId: text("external_id"),
    notes: text("notes"),
    /** Where it was imported from, and what it was called there: it is not imported twice. */
    importedSource: text("imported_source"),
    importedId: text("imported_id"),
    /** What the other service had counted by then; in no figure of ours. */
    clicksBefore: bigint("clicks_before", { mode: "number" }),
    /** Out of lists; it goes on serving. */
    isArchived: boolean("is_archived").notNull().default(false),
    defaultUrl: text("default_url").notNull(),
    /** Where visitors go once the link has ended. */
    expiredUrl: text("expired_url"),
    rules: jsonb("rules").$type<RoutingRule[]>().notNull().default([]),
    splitTargets: jsonb("split_targets").$type<SplitTarget[]>().notNull().default([]),
    deepLinkPayload: jsonb("deep_link_payload").$type<FreeObject>(),
    utm: jsonb("utm").$type<Utm>(),
    marketing: jsonb("marketing").$type<MarketingAttribution>(),
    leadCapture: jsonb("lead_capture").$type<LeadCapture>(),
    retargetingPixels: jsonb("retargeting_pixels").$type<RetargetingPixel[]>().notNull().default([]),
    ctaOverlay: jsonb("cta_overlay").$type<CtaOverlay>(),
    social: jsonb("social").$type<Social>(),
    startsAt: instantColumn("starts_at"),
    expiresAt: instantColumn("expires_at"),
    maxClicks: integer("max_clicks"),
    tags: text("tags").array().notNull().default(sql`'{}'::text[]`),
    passwordHash: text("password_hash"),
    isActive: boolean("is_active").notNull().default(true),
    safety: jsonb("safety").$type<Safety>().notNull().default({ status: "unknown", reasons: [] }),
    /** When all destinations were last looked at; null: they are to be. */
    safetyCheckedAt: instantColumn("safety_checked_at"),
    /** When all destinations were last asked for; null: they are to be. */
    destinationsCheckedAt: instantColumn("destinations_checked_at"),
    /**
     * From when on the destinations are to be asked for though nobody visits the link; null: they were, and are well. A trigger
     * (`ask_for_destinations` in the migrations) sets it when they change, or when the link is served again.
     */
    destinationsAskAt: instantColumn("destinations_ask_at").defaultNow(),
    version: integer("version").notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instantColumn("deleted_at"),
  },
  (table) => [
    uniqueIndex("links_address")
      .on(table.domainId, table.prefixKey, table.slugKey)
      .where(sql`${table.deletedAt} is null`),
    uniqueIndex("links_look_alike")
      .on(table.domainId, table.lookAlikeKey)
      .where(sql`${table.deletedAt} is null and ${table.lookAlikeKey} is not null`),
    uniqueIndex("links_external_id")
      .on(table.orgId, table.externalId)
      .where(sql`${table.deletedAt} is null and ${table.externalId} is not null`),
    /** The organization comes last, so that a batch of an import finds each by what it was called. */
    uniqueIndex("links_imported_from")
      .on(table.importedId, table.importedSource, table.orgId)
      .where(sql`${table.deletedAt} is null and ${table.importedId} is not null`),
    /** What overviews sum up, deleted links among them. */
    index("links_clicks_before").on(table.orgId, table.clicksBefore).where(sql`${table.clicksBefore} is not null`),
    index("links_org").on(table.orgId, table.kind, table.id).where(sql`${table.deletedAt} is null`),
    /** Whose safety is to be looked at next: those never looked at first. */
    index("links_safety_checked").on(sql`${table.safetyCheckedAt} nulls first`).where(sql`${table.deletedAt} is null`),
    /** Whose destinations are to be asked for next. */
    index("links_destinations_checked")
      .on(sql`${table.destinationsCheckedAt} nulls first`)
      .where(sql`${table.deletedAt} is null`),
    index("links_destinations_ask")
      .on(table.orgId, table.destinationsAskAt)
      .where(sql`${table.destinationsAskAt} is not null and ${table.deletedAt} is null and ${table.kind} = 'link'`),
    index("links_misconfigured").on(table.orgId, table.id).where(sql.raw(LINK_MISCONFIGURED)),
    /** Whose rules may be out of reach: those changed last are looked at. */
    index("links_ruled")
      .on(table.orgId, table.updatedAt)
      .where(sql`${table.deletedAt} is null and ${table.kind} = 'link' and ${table.rules} <> '[]'`),
    /** What a server that missed changes asks for. */
    index("links_updated").on(table.updatedAt),
  ],
);

export const linkRevisions = pgTable(
  "link_revisions",
  {
    id: primaryId(),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    version: integer("version").notNull(),
    /** User id, API key id, or null for the system. */
    changedBy: uuid("changed_by"),
    changedAt: instantColumn("changed_at").notNull().defaultNow(),
    /** Empty in the first of a link, whose snapshot says it all. */
    changes: jsonb("changes").$type<{ field: string; from: unknown; to: unknown }[]>().notNull(),
    /** The link's own fields after the change; what a click at this version was routed by. */
    snapshot: jsonb("snapshot").$type<FreeObject>().notNull(),
  },
  (table) => [unique("link_revisions_version").on(table.linkId, table.version)],
);

export const linkCounters = pgTable(
  "link_counters",
  {
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** Number of the spool whose batches add here; a link's count is the sum over writers. */
    writer: integer("writer").notNull(),
    clicks: bigint("clicks", { mode: "number" }).notNull().default(0),
    botClicks: bigint("bot_clicks", { mode: "number" }).notNull().default(0),
    lastClickAt: instantColumn("last_click_at"),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.writer] }),
    /** Who may be among an organization's top links. Of no column that counting changes, or each count would write it. */
    index("link_counters_org").on(table.orgId),
  ],
);

export const linkAdmissions = pgTable("link_admissions", {
  linkId: uuid("link_id").primaryKey(),
  orgId: orgId(),
  admitted: integer("admitted").notNull().default(0),
});
