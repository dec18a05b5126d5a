/**
 * Domains. One row, the shared short domain, belongs to no organization (`org_id` is null); links of every
 * organization may use it. It is written at start from `SHORT_DOMAIN`, so changing that setting moves its links.
 */
import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { AppConfig } from "@/contract/apps";
import type { Certificate, DomainRedirects, DomainVerification } from "@/contract/domains";
import { organizations } from "../accounts/organizations";
import { createdAt, instantColumn, primaryId, updatedAt } from "../columns";

export const domains = pgTable(
  "domains",
  {
    id: primaryId(),
    orgId: uuid("org_id").references(() => organizations.id, { onDelete: "cascade" }),
    /** Lower-cased, punycode, without port; the shared domain keeps the port of its setting. */
    hostname: text("hostname").notNull(),
    isVerified: boolean("is_verified").notNull().default(false),
    isPrimary: boolean("is_primary").notNull().default(false),
    /** Whether slugs and prefixes are case-sensitive. Never changes, because the links' keys depend on it. */
    isCaseSensitive: boolean("is_case_sensitive").notNull().default(false),
    verificationToken: text("verification_token"),
    /** What the last lookup found, and what it did not find. */
    verification: jsonb("verification").$type<Omit<DomainVerification, "missingSince">>(),
    verifiedAt: instantColumn("verified_at"),
    checkedAt: instantColumn("checked_at"),
    /** Since when a verified domain's record has not been found. */
    missingSince: instantColumn("missing_since"),
    /** The host's certificate, if it is requested on the customer's behalf. */
    certificate: jsonb("certificate").$type<Certificate>(),
    dashboard: jsonb("dashboard").$type<{ enabled?: boolean }>().notNull().default({}),
    appConfig: jsonb("app_config").$type<AppConfig>().notNull().default({}),
    /** Where visitors go without a link; served only on verified domains. */
    redirects: jsonb("redirects").$type<DomainRedirects>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("domains_verified_hostname").on(table.hostname).where(sql`${table.isVerified}`),
    uniqueIndex("domains_shared").on(sql`(${table.orgId} is null)`).where(sql`${table.orgId} is null`),
    uniqueIndex("domains_org_hostname").on(table.orgId, table.hostname),
    index("domains_org").on(table.orgId, table.id),
  ],
);

/**
 * Hosts of deleted domains whose certificates are still to be removed. A row is written with the deletion and goes away
 * with the certificate, or once somebody verifies the host.
 */
export const releasedHosts = pgTable("released_hosts", {
  hostname: text("hostname").primaryKey(),
  createdAt: createdAt(),
});
