/** Match tokens that an app has claimed after its install. A token can be claimed once, in whichever way. */
import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, instantColumn, orgId } from "./columns";

export const claims = pgTable(
  "claims",
  {
    /**
     * SHA-256 of the click that the token names or, if it names none, of the token itself. Random in claims that were
     * restored from an archive, whose tokens only the service that minted them accepts.
     */
    tokenHash: bytes("token_hash").primaryKey().default(sql`uuid_send(gen_random_uuid())`),
    orgId: orgId(),
    linkId: uuid("link_id").notNull(),
    /**
     * The click that the token was minted for, if it was known: whatever is later found about it also applies to the
     * claim.
     */
    clickId: uuid("click_id"),
    /**
     * Whether the claim is a bot's by itself, whatever its click is. False in claims of earlier releases, where that is
     * not known.
     */
    isBot: boolean("is_bot").notNull().default(false),
    /**
     * The time of that click, and the last four digits of its id, as long as it has not been found in Postgres and may
     * still come: see `clicks/late-clicks`.
     */
    awaitedAt: instantColumn("awaited_at"),
    awaitedEnd: text("awaited_end"),
    installId: uuid("install_id").notNull(),
    openId: uuid("open_id").notNull(),
    /** Set for an install attribution, null for a match. */
    provider: text("provider"),
    /** The response, which is sent again to a repeated claim within a minute. */
    answer: jsonb("answer").$type<Record<string, unknown>>().notNull(),
    /** When the token was minted, and when it was claimed. */
    clickedAt: instantColumn("clicked_at").notNull(),
    claimedAt: instantColumn("claimed_at").notNull(),
  },
  (table) => [
    index("claims_org").on(table.orgId, table.claimedAt),
    index("claims_click").on(table.clickId).where(sql`${table.clickId} is not null`),
    index("claims_awaiting").on(table.orgId, table.tokenHash).where(sql`${table.awaitedAt} is not null`),
    /** Retention deletes by this. */
    index("claims_clicked").on(table.clickedAt),
  ],
);
