/**
 * What lists of links are found by: narrow rows beside the wide ones of `links`, so that a page deep in a long list, or a
 * search through all of it, reads little. They hold live links alone, no bio pages, and follow `links` by a trigger
 * (`list_made_links` and `keep_listed_link` in the migrations), in the very statement that changes a link: nothing else writes here.
 *
 * A search uses an index of organization and trigrams, of `searched` or of `letters`, which `db/search-index` makes where
 * Postgres allows it.
 */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instantColumn, orgId, transactionId } from "../columns";

export const listedLinks = pgTable(
  "listed_links",
  {
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** Holds title, slug, destination and notes in lower case, one per line. */
    searched: text("searched").notNull(),
    /**
     * The same with the code of each letter beyond ASCII in its place, as `waymark_letters` writes it; null where all are ASCII.
     * Trigrams know no such letters where the database's character type is C, as that of the embedded one is.
     */
    letters: text("letters").generatedAlwaysAs(
      sql.raw("case when octet_length(searched) <> char_length(searched) then waymark_letters(searched) end"),
    ),
    /** For searches within a tag that many links have; lists by tag go by `link_tags`. */
    tags: text("tags").array().notNull().default([]),
    /** Holds the title, or else the slug, in lower case: lists by title sort by it. */
    titleKey: text("title_key").notNull().default(""),
    domainId: uuid("domain_id"),
    isArchived: boolean("is_archived").notNull().default(false),
    isActive: boolean("is_active").notNull().default(true),
    isUnsafe: boolean("is_unsafe").notNull().default(false),
    startsAt: instantColumn("starts_at"),
    expiresAt: instantColumn("expires_at"),
    maxClicks: integer("max_clicks"),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.linkId] }),
    index("listed_links_archived").on(table.orgId, table.isArchived, table.linkId),
  ],
);

/** Each tag of a link has a row. */
export const linkTags = pgTable(
  "link_tags",
  { orgId: orgId(), tag: text("tag").notNull(), linkId: uuid("link_id").notNull() },
  (table) => [
    primaryKey({ columns: [table.orgId, table.tag, table.linkId] }),
    // For the tags of a few links, which would otherwise be looked for among all of the organization's.
    index("link_tags_link").on(table.orgId, table.linkId),
  ],
);

/**
 * Which links have lately got other tags, and by which transaction, for whoever remembers tags (`figures/columns/link-tags`):
 * a trigger on `links` notes it. Notes go after a day. Each transaction has rows of its own, so that none waits for another.
 */
export const tagChanges = pgTable(
  "tag_changes",
  {
    orgId: orgId(),
    changed: transactionId("changed").notNull(),
    linkId: uuid("link_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.changed, table.linkId] })],
);
