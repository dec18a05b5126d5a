/** Match tokens that were claimed by an app after its install: each once, whichever way it was claimed. */
import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn, orgId } from "./columns";

export const claims = pgTable(
  "claims",
  {
    /** SHA-256 of the click that the token says, or of the token itself. */
    tokenHash: bytes("token_hash").primaryKey(),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /** The click that the token was minted for, where it was known: whatever is found of it later holds for the claim. */
    clickId: uuid("click_id"),
    installId: uuid("install_id").notNull(),
    openId: uuid("open_id").notNull(),
    /** This is set for an install attribution and null for a match. */
    provider: text("provider"),
    /** What was answered, and is answered again to a repeat within the minute. */
    answer: jsonb("answer").$type<Record<string, unknown>>().notNull(),
    /** When the token was minted, and when it was claimed. */
    clickedAt: instantColumn("clicked_at").notNull(),
    claimedAt: instantColumn("claimed_at").notNull(),
  },
  (table) => [
    index("claims_org").on(table.orgId, table.claimedAt),
    index("claims_click").on(table.clickId).where(sql`${table.clickId} is not null`),
    /** What retention deletes by. */
    index("claims_clicked").on(table.clickedAt),
  ],
);
