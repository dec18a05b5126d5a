import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ReportFilters } from "@/contract/analytics/reports";
import type { SeriesMetric } from "@/contract/analytics/series";
import { organizations } from "./accounts/organizations";
import { createdAt, orgId, primaryId, updatedAt } from "./columns";

export const reports = pgTable(
  "reports",
  {
    id: primaryId(),
    orgId: orgId().references(() => organizations.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description"),
    filters: jsonb("filters").$type<ReportFilters>().notNull(),
    /** Columns of the export, in this order. */
    metrics: text("metrics").array().$type<SeriesMetric[]>().notNull(),
    createdBy: uuid("created_by"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("reports_org").on(table.orgId, table.id)],
);
