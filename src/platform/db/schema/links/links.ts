/**
 * Links, their revisions and their counters. Counters are separate from `links`, so that counting never rewrites a
 * wide row: `link_counters` is written by the batch writer of each server, `link_admissions` by the gate of links
 * with `maxClicks`.
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
 * A condition for links whose set-up cannot work or may do harm, whatever their visits: an unsafe or suspicious
 * destination, a split without an active target, an end before its beginning. An index contains only these links, so
 * a query must use exactly this text.
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
    /** Short enough to fit into a match token. */
    number: bigserial("number", { mode: "number" }).notNull().unique(),
    /**
     * A bio page also has a row here (`bio-pages.ts`), but is not a link wherever links are listed, counted or
     * changed.
     */
    kind: text("kind", { enum: ["link", "bio_page"] })
      .notNull()
      .default("link"),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    domainId: uuid("domain_id")
      .notNull()
      .references(() => domains.id),
    /**
     * The host of the domain that a deleted link was on, once that domain is deleted too. The row has been moved to
     * the shared domain by then, but its figures and its address never belonged there.
     */
    formerHostname: text("former_hostname"),
    appProfileId: uuid("app_profile_id"),
    /** As given, in NFC; `slug_key` and `prefix_key` are what is compared and unique. */
    slug: text("slug").notNull(),
    slugKey: text("slug_key").notNull(),
    pathPrefix: text("path_prefix").notNull().default(""),
    prefixKey: text("prefix_key").notNull().default(""),
    /**
     * What the whole path looks like, only on the shared domain. Null there for links that resembled an older one
     * before that was refused.
     */
    lookAlikeKey: text("look_alike_key"),
    title: text("title"),
    /**
     * The customer's own id for the link, as in a system that manages their links; unique among live links of the
     * organization.
     */
    externalId: text("external_id"),
    notes: text("notes"),
    /** Where the link was imported from, and its id there, so that it is not imported twice. */
    importedSource: text("imported_source"),
    importedId: text("imported_id"),
    /** The clicks that the other service had counted by then; in none of our figures. */
    clicksBefore: bigint("clicks_before", { mode: "number" }),
    /** Hidden from lists, but still served. */
    isArchived: boolean("is_archived").notNull().default(false),
    defaultUrl: text("default_url").notNull(),
    /** Where visitors go once the link has ended. */
    expiredUrl: text("expired_url"),
    /** A rule without a `number` has its position as its number: see `core/rules/rule-numbers`. */
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
    /** When the safety of all destinations was last checked; null if that is due. */
    safetyCheckedAt: instantColumn("safety_checked_at"),
    /** When all destinations were last requested; null if that is due. */
    destinationsCheckedAt: instantColumn("destinations_checked_at"),
    /**
     * When the destinations are to be requested although nobody visits the link; null if that is not due, because the
     * last request succeeded or the link serves nobody. A trigger (`ask_for_destinations` in the migrations) sets it
     * when the destinations change, or when the link is served again.
     */
    destinationsAskAt: instantColumn("destinations_ask_at").defaultNow(),
    version: integer("version").notNull().default(1),
    /**
     * The number of the next new rule. The default is for links of releases that did not number rules: their clicks are
     * counted by positions, of which no link had more.
     */
    nextRuleNumber: integer("next_rule_number").notNull().default(50),
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
    /** The organization comes last, so that a batch of an import finds links by their former ids. */
    uniqueIndex("links_imported_from")
      .on(table.importedId, table.importedSource, table.orgId)
      .where(sql`${table.deletedAt} is null and ${table.importedId} is not null`),
    /** The sums that overviews show, including deleted links. */
    index("links_clicks_before").on(table.orgId, table.clicksBefore).where(sql`${table.clicksBefore} is not null`),
    /** Deleted links whose former clicks pass to the link that is imported again. */
    index("links_deleted_clicks_before")
      .on(table.importedId, table.importedSource, table.orgId)
      .where(sql`${table.deletedAt} is not null and ${table.clicksBefore} is not null`),
    index("links_org").on(table.orgId, table.kind, table.id).where(sql`${table.deletedAt} is null`),
    /** Links whose safety is to be checked next: those never checked come first. */
    index("links_safety_checked").on(sql`${table.safetyCheckedAt} nulls first`).where(sql`${table.deletedAt} is null`),
    /** Links whose destinations are to be requested next. */
    index("links_destinations_checked")
      .on(sql`${table.destinationsCheckedAt} nulls first`)
      .where(sql`${table.deletedAt} is null`),
    /** Links and bio pages whose destinations are to be requested although nobody visits them. */
    index("links_unvisited")
      .on(table.orgId, table.destinationsAskAt)
      .where(sql`${table.destinationsAskAt} is not null and ${table.deletedAt} is null`),
    index("links_misconfigured").on(table.orgId, table.id).where(sql.raw(LINK_MISCONFIGURED)),
    /** Links whose rules may be unreachable: the most recently changed ones are checked. */
    index("links_ruled")
      .on(table.orgId, table.updatedAt)
      .where(sql`${table.deletedAt} is null and ${table.kind} = 'link' and ${table.rules} <> '[]'`),
    /** What a server that missed changes reads. */
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
    /** Empty in a link's first revision, whose snapshot contains everything. */
    changes: jsonb("changes").$type<{ field: string; from: unknown; to: unknown }[]>().notNull(),
    /** The link's own fields after the change, by which a click at this version was routed. */
    snapshot: jsonb("snapshot").$type<FreeObject>().notNull(),
  },
  (table) => [unique("link_revisions_version").on(table.linkId, table.version)],
);

export const linkCounters = pgTable(
  "link_counters",
  {
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** The spool whose batches add here, or `CORRECTIONS_WRITER`; a link's count is the sum over writers. */
    writer: integer("writer").notNull(),
    clicks: bigint("clicks", { mode: "number" }).notNull().default(0),
    botClicks: bigint("bot_clicks", { mode: "number" }).notNull().default(0),
    lastClickAt: instantColumn("last_click_at"),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.writer] }),
    /**
     * Candidates for an organization's top links. Contains no column that counting changes, because each count would
     * then write it.
     */
    index("link_counters_org").on(table.orgId),
  ],
);

export const linkAdmissions = pgTable("link_admissions", {
  linkId: uuid("link_id").primaryKey(),
  orgId: orgId(),
  admitted: integer("admitted").notNull().default(0),
});
