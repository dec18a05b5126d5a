/**
 * Images as they are served, made of those that apps, domains, organizations, links' cards and pages name: a cache, made
 * again at will.
 */
import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn } from "../columns";

const OWNER_TYPES = ["app", "domain", "organization", "link", "preview", "avatar", "cover"] as const;

export const icons = pgTable(
  "icons",
  {
    ownerType: text("owner_type", { enum: OWNER_TYPES }).notNull(),
    ownerId: uuid("owner_id").notNull(),
    sourceUrl: text("source_url").notNull(),
    /** 256 pixels square, the JPEG of a link's card or the WebP of its page; null when the image could not be had. */
    png: bytes("png"),
    etag: text("etag"),
    fetchedAt: instantColumn("fetched_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerType, table.ownerId] })],
);
