import type { Guard } from "@/http/access";
import { auditLogRoutes } from "./routes";
import { type AuditLogOptions, createAuditLogService } from "./service";

export const auditLogModule = (parts: AuditLogOptions, guard: Guard) =>
  auditLogRoutes(createAuditLogService(parts), guard);
