/**
 * Archives of whole organizations. The server that holds a job's lease does it, one part at a time. A part and the
 * place of the next one are written in one transaction, so a job whose server dies is continued where it was.
 */
import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { EXPORT_STATUSES } from "@/contract/accounts/exports";
import { organizations } from "./accounts/organizations";
import { bytes, createdAt, instantColumn, orgId, primaryId } from "./columns";

/** Has the shape that `platform/archive/write` defines. */
interface PlaceOfPart {
  source: number;
  shape?: string;
  after: string[] | null;
  rows: number;
  file: number;
  domains?: { after: string[] | null; file: number };
  apps?: { after: string[] | null; file: number };
}

export const organizationExports = pgTable(
  "organization_exports",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    status: text("status", { enum: EXPORT_STATUSES }).notNull().default("queued"),
    /** Null before the first part, and once the job has ended. */
    place: jsonb("place").$type<PlaceOfPart>(),
    parts: integer("parts").notNull().default(0),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    /** The number of rows of each kind. */
    counts: jsonb("counts").$type<Record<string, number>>().notNull().default({}),
    /** How often the job was begun or continued since one of its parts was last stored. */
    attempts: integer("failures").notNull().default(0),
    /** Set with the first part, if there are any: see `platform/archive/write`. */
    expiredClicks: jsonb("expired_clicks").$type<{ count: number; before: string }>(),
    error: text("error"),
    requestedBy: text("requested_by"),
    leasedBy: uuid("leased_by"),
    leasedUntil: instantColumn("leased_until"),
    createdAt: createdAt(),
    finishedAt: instantColumn("finished_at"),
    expiresAt: instantColumn("expires_at"),
  },
  (table) => [
    index("organization_exports_org").on(table.orgId, table.id),
    index("organization_exports_open").on(table.id).where(sql`${table.status} in ('queued', 'running')`),
  ],
);

export const exportParts = pgTable(
  "export_parts",
  {
    exportId: uuid("export_id")
      .notNull()
      .references(() => organizationExports.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    content: bytes("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.number] })],
);
