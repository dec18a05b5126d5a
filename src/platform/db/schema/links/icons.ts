/**
 * Images as they are served, made from those that apps, domains, organizations, links' cards and pages name. This is
 * a cache: any of them can be made again.
 */
import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn } from "../columns";

const OWNER_TYPES = ["app", "domain", "organization", "link", "preview", "avatar", "cover", "thumb", "tile"] as const;

export const icons = pgTable(
  "icons",
  {
    ownerType: text("owner_type", { enum: OWNER_TYPES }).notNull(),
    ownerId: uuid("owner_id").notNull(),
    sourceUrl: text("source_url").notNull(),
    /**
     * A 256-pixel square PNG, the JPEG of a link's card or the WebP of its page; null if the image could not be
     * loaded.
     */
    png: bytes("png"),
    etag: text("etag"),
    fetchedAt: instantColumn("fetched_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerType, table.ownerId] })],
);
