import { Elysia, t } from "elysia";
import { LeadPage, LeadsCsv } from "@/contract/links/leads";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { csvResponse, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { Log } from "@/platform/telemetry/log";
import type { LeadExporter } from "./export";
import type { LeadService } from "./service";

export const leadRoutes = (leads: LeadService, exporter: LeadExporter, log: Log, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .get(
      "/:linkId/leads",
      ({ tenant, params, query }) => leads.list(tenant, params.linkId, query.page ?? 1, query.limit ?? PAGE_LIMIT),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        query: t.Object(pageQuery),
        response: { 200: LeadPage, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "listLeads",
          summary: "List a link's leads",
          description: KEPT,
        },
      },
    )
    .get(
      "/:linkId/leads/export.csv",
      async ({ tenant, params }) =>
        csvResponse({
          ...(await exporter.exported(tenant, params.linkId)),
          failed: logAborted(log, "lead export", tenant.orgId),
        }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        response: { 200: LeadsCsv, ...failures(401, 403, 404) },
        detail: {
          operationId: "exportLeads",
          summary: "Export a link's leads as CSV",
          description:
            "Newest first. Text that a spreadsheet could read as a formula is prefixed with an apostrophe. Not available for " +
            "deleted links.",
        },
      },
    )
    .delete("/:linkId/leads/:leadId", ({ tenant, params }) => leads.erase(tenant, params.linkId, params.leadId), {
      member: { role: "member", scopes: ["analytics"] },
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "deleteLead",
        summary: "Delete a lead",
        description: "Erases what the visitor submitted, and the visitor's key. The lead still counts in all figures.",
      },
    });

const KEPT =
  "Leads are your data: the service keeps each one until you erase it or delete the organization, regardless of how " +
  "long your plan keeps clicks. Not available for deleted links.";
