/** What visitors left on a link's form before they went on: personal data, kept until the customer deletes it. */
import { index, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { organizations } from "../accounts/organizations";
import { instantColumn, orgId, primaryId } from "../columns";
import { links } from "./links";

export const leads = pgTable(
  "leads",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    linkId: uuid("link_id")
      .notNull()
      .references(() => links.id, { onDelete: "cascade" }),
    /** Of the visit that brought the visitor to the form: one lead a visit, however often it is sent. */
    clickId: uuid("click_id").notNull(),
    /** The visitor's key as 16 hex digits, as clicks have it. */
    visitorId: text("visitor_id").notNull(),
    /** By the name of the field. */
    fields: jsonb("fields").$type<Record<string, string>>().notNull(),
    /** When it was counted, which its figures go by. */
    createdAt: instantColumn("created_at").notNull(),
  },
  (table) => [
    unique("leads_visit").on(table.linkId, table.clickId),
    /** A link's, newest first; which of them were erased is seen in the index. */
    index("leads_link").on(table.orgId, table.linkId, table.createdAt, table.id, table.visitorId),
    index("leads_org").on(table.orgId, table.createdAt),
  ],
);
