/** What visitors entered in a link's form before they continued: personal data, kept until the customer deletes it. */
import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
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
    /** The visit that brought the visitor to the form: it makes one lead, however often the form is sent. */
    clickId: uuid("click_id").notNull(),
    /** The visitor's key as 16 hex digits, as in clicks; empty once the lead was erased. */
    visitorId: text("visitor_id").notNull(),
    /** By the field's name. */
    fields: jsonb("fields").$type<Record<string, string>>().notNull(),
    /** When the lead was counted, which is the time of its figures. */
    createdAt: instantColumn("created_at").notNull(),
    /** Set if its click was confirmed as abuse: then the lead counts nowhere (`COUNTED`). */
    verdict: text("verdict", { enum: ["confirmed"] }),
    /** Whether its click is a bot's; null if that is not known yet, and then it counts as a person's. */
    isBot: boolean("is_bot"),
  },
  (table) => [
    unique("leads_visit").on(table.linkId, table.clickId),
    /** A link's leads, newest first. The index shows which of them were erased. */
    index("leads_link").on(table.orgId, table.linkId, table.createdAt, table.id, table.visitorId),
    index("leads_org").on(table.orgId, table.createdAt),
    /** Few: those whose clicks are not in Postgres yet (`clicks/late-leads`). */
    index("leads_awaiting").on(table.orgId, table.id).where(sql`${table.isBot} is null`),
  ],
);
