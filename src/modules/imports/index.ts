import type { Guard } from "@/http/access";
import type { Log } from "@/platform/telemetry/log";
import { importRoutes } from "./routes";
import { createImportService, type ImportServiceOptions } from "./service";

export const importModule = (parts: ImportServiceOptions & { log: Log }, guard: Guard) =>
  importRoutes(createImportService(parts), parts.log, guard);
