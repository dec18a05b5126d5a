/**
 * Bio pages. Each has a row of `links` of kind `bio_page`, which contains what a page and a link have in common: its
 * address (so that both share the slugs of a domain), title, version and whether it is active. Items with their own
 * URL are also in that row, as split targets of weight 0, so that clicks on them, safety and history work as they do
 * for links.
 */
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { BioItem, BioTheme } from "@/contract/links/bio-pages";
import { orgId } from "../columns";
import { links } from "./links";

export const bioPages = pgTable(
  "bio_pages",
  {
    linkId: uuid("link_id")
      .primaryKey()
      .references(() => links.id, { onDelete: "cascade" }),
    orgId: orgId(),
    bio: text("bio"),
    theme: jsonb("theme").$type<BioTheme>().notNull(),
    items: jsonb("items").$type<BioItem[]>().notNull(),
  },
  (table) => [index("bio_pages_org").on(table.orgId, table.linkId)],
);
