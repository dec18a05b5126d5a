import type { Guard } from "@/http/access";
import type { Log } from "@/platform/telemetry/log";
import { reportRoutes } from "./routes";
import { createReportService, type ReportOptions } from "./service";

export const reportModule = (parts: ReportOptions & { log: Log }, guard: Guard) =>
  reportRoutes(createReportService(parts), parts.log, guard);
