import { Elysia, t } from "elysia";
import { Report, ReportInput, ReportPage, ReportUpdate } from "@/contract/analytics/reports";
import { SeriesCsv } from "@/contract/analytics/series";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { csvResponse, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { Log } from "@/platform/telemetry/log";
import type { ReportService } from "./service";

const soundInput = (reports: ReportService) =>
  onValidFields(ReportInput, ({ tenant }, sound) => reports.check(tenant, sound));
const soundUpdate = (reports: ReportService) =>
  onValidFields(ReportUpdate, ({ tenant }, sound) => reports.check(tenant, sound));

export const reportRoutes = (reports: ReportService, log: Log, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics/reports", tags: ["Reports"] })
    .use(guard)
    .get("", ({ tenant, query }) => reports.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "viewer", scopes: ["analytics"] },
      query: t.Object(pageQuery),
      response: { 200: ReportPage, ...failures(400, 401, 403, 404) },
      detail: { operationId: "listReports", summary: "List reports", description: "Newest first." },
    })
    .post("", ({ tenant, body, once }) => reports.create(tenant, body, once), {
      member: { role: "member", scopes: ["analytics"] },
      repeatable: "plain",
      body: ReportInput,
      alsoChecked: soundInput(reports),
      response: { 200: Report, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createReport",
        summary: "Save a report",
        description:
          "A `period` ends at the time of each export; `from` and `to` are fixed and cannot be combined with it. " +
          "An organization can have up to 200 reports.",
      },
    })
    .patch("/:reportId", ({ tenant, params, body }) => reports.update(tenant, params.reportId, body), {
      member: { role: "member", scopes: ["analytics"] },
      body: ReportUpdate,
      alsoChecked: soundUpdate(reports),
      response: { 200: Report, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "updateReport",
        summary: "Update a report",
        description:
          "Omitted fields keep their value. `filters` and `metrics` are replaced as a whole, and null clears them.",
      },
    })
    .delete("/:reportId", ({ tenant, params }) => reports.remove(tenant, params.reportId), {
      member: { role: "member", scopes: ["analytics"] },
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "deleteReport",
        summary: "Delete a report",
        description: "Exported files are not affected.",
      },
    })
    .get(
      "/:reportId/export.csv",
      async ({ tenant, params }) =>
        csvResponse({
          ...(await reports.export(tenant, params.reportId)),
          failed: logAborted(log, "report export", tenant.orgId),
        }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        response: { 200: SeriesCsv, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "exportReport",
          summary: "Export a report as CSV",
          description:
            "Returns the report's metrics per bucket: hours for ranges of up to three days, otherwise UTC days.",
        },
      },
    );
