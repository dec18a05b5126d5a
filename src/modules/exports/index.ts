import type { Guard } from "@/http/access";
import type { Log } from "@/platform/telemetry/log";
import { exportRoutes } from "./routes";
import { createExportService, type ExportServiceOptions } from "./service";

export const exportModule = (parts: ExportServiceOptions & { log: Log }, guard: Guard) =>
  exportRoutes(createExportService(parts), parts.log, guard);
