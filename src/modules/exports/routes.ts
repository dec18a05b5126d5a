import { Elysia, t } from "elysia";
import { OrganizationArchive, OrganizationExport, OrganizationExportPage } from "@/contract/accounts/exports";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { download, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { Log } from "@/platform/telemetry/log";
import type { ExportService } from "./service";

export const exportRoutes = (exports: ExportService, log: Log, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/exports", tags: ["Organizations"] })
    .use(guard)
    .get("", ({ tenant, query }) => exports.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "admin", scopes: [] },
      query: t.Object(pageQuery),
      response: { 200: OrganizationExportPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listExports",
        summary: "List exports of the organization",
        description: "Newest first. The service deletes an export after seven days.",
      },
    })
    .post("", async ({ tenant, once, status }) => status(202, await exports.create(tenant, once)), {
      member: { role: "admin", scopes: [] },
      repeatable: "plain",
      response: { 202: OrganizationExport, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "createExport",
        summary: "Export the whole organization",
        description: CREATE_SAYS,
      },
    })
    .get("/:exportId", ({ tenant, params }) => exports.get(tenant, params.exportId), {
      member: { role: "admin", scopes: [] },
      response: { 200: OrganizationExport, ...failures(401, 403, 404) },
      detail: {
        operationId: "getExport",
        summary: "Get an export",
        description: "Shows the progress while the archive is being written.",
      },
    })
    .get(
      "/:exportId/download",
      async ({ tenant, params, request }) =>
        download({
          ...(await exports.download(tenant, params.exportId, { isHead: request.method === "HEAD" })),
          contentType: "application/gzip",
          failed: logAborted(log, "archive download", tenant.orgId),
        }),
      {
        member: { role: "admin", scopes: [] },
        response: { 200: OrganizationArchive, ...failures(401, 403, 404, 409) },
        detail: {
          operationId: "downloadExport",
          summary: "Download an export",
          description: "Returns 409 until the archive is done. Each download is recorded in the audit log.",
        },
      },
    )
    .delete("/:exportId", ({ tenant, params }) => exports.remove(tenant, params.exportId), {
      member: { role: "admin", scopes: [] },
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "deleteExport",
        summary: "Delete an export",
        description: "Deletes the archive, or stops writing it.",
      },
    });

const CREATE_SAYS =
  "Writes an archive in the background: the organization, members, domains, apps, links with their history, bio pages, " +
  "leads, clicks, opens, events, reports, webhooks without secrets and the audit log, as JSON lines. Passwords, keys and " +
  "other secrets are never in it, nor are figures: `expiredClicks` counts the clicks that only figures know of. Returns 409 while another export is under way; an organization keeps up to three.";
