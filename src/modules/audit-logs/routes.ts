import { Elysia } from "elysia";
import { AuditLogPage, AuditLogQuery } from "@/contract/accounts/audit-logs";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { AuditLogService } from "./service";

export const auditLogRoutes = (auditLogs: AuditLogService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/audit-logs", tags: ["Audit logs"] })
    .use(guard)
    .get("", ({ tenant, query }) => auditLogs.list(tenant, query), {
      member: { role: "admin", scopes: ["read", "manage"] },
      query: AuditLogQuery,
      response: { 200: AuditLogPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listAuditLogs",
        summary: "List audit logs",
        description: "Filters match exactly, and all given filters must match.",
      },
    });
