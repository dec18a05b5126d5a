/**
 * Images as they are served, made of those that apps, domains, organizations and links' cards name: a cache, made again at
 * will.
 */
import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn } from "../columns";

export const icons = pgTable(
  "icons",
  {
    ownerType: text("owner_type", { enum: ["app", "domain", "organization", "link"] }).notNull(),
    ownerId: uuid("owner_id").notNull(),
    sourceUrl: text("source_url").notNull(),
    /** 256 pixels square, or the JPEG of a link's card; null when the image could not be had. */
    png: bytes("png"),
    etag: text("etag"),
    fetchedAt: instantColumn("fetched_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerType, table.ownerId] })],
);
