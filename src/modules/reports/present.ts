import type { Report } from "@/contract/analytics/reports";
import type { ReportRow } from "./store";

/** Returns the wire format of a report, without unset fields. */
export const presentReport = (row: ReportRow): Report => ({
  _id: row.id,
  ...presentFields(row),
  createdBy: row.createdBy ?? undefined,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns the fields that a customer sets. */
export const presentFields = ({ name, description, filters, metrics }: ReportRow) => ({
  name,
  description: description ?? undefined,
  filters,
  metrics,
});
