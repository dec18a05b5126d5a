/**
 * The rows by which lists of links are found. They are narrow, unlike those of `links`, so that a page deep in a long
 * list, or a search through all of it, reads little. They contain only live links, no bio pages. Triggers on `links`
 * (`list_made_links` and `keep_listed_link` in the migrations) write them, in the very statement that changes a link;
 * nothing else does.
 *
 * A search uses an index of organization and trigrams, of `searched` or of `letters`, which `db/search-index` creates
 * if Postgres allows it.
 */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instantColumn, orgId, transactionId } from "../columns";

export const listedLinks = pgTable(
  "listed_links",
  {
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** Title, slug, destination and notes in lower case and in NFC, one per line. */
    searched: text("searched").notNull(),
    /**
     * The same text with each non-ASCII letter replaced by its code, as `waymark_letters` writes it; null if all
     * letters are ASCII. Trigrams ignore non-ASCII letters if the database's character type is C, as in the embedded
     * Postgres.
     */
    letters: text("letters").generatedAlwaysAs(
      sql.raw("case when octet_length(searched) <> char_length(searched) then waymark_letters(searched) end"),
    ),
    /** For searches within a tag that many links have; lists by tag use `link_tags`. */
    tags: text("tags").array().notNull().default([]),
    /**
     * The title or, if there is none, the slug, in lower case: lists by title are sorted by it, in the order of the
     * collation `waymark_titles` of the migrations.
     */
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

/** Has a row for each tag of a link. */
export const linkTags = pgTable(
  "link_tags",
  { orgId: orgId(), tag: text("tag").notNull(), linkId: uuid("link_id").notNull() },
  (table) => [
    primaryKey({ columns: [table.orgId, table.tag, table.linkId] }),
    // For the tags of a few links, which would otherwise be searched for among all of the organization's.
    index("link_tags_link").on(table.orgId, table.linkId),
  ],
);

/**
 * Which links' tags were changed lately, and by which transaction, for code that caches tags
 * (`figures/columns/link-tags`). A trigger on `links` writes the rows; they are deleted after a day. Each transaction
 * has separate rows, so that none waits for another.
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
