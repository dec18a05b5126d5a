import type { Guard } from "@/http/access";
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { Log } from "@/platform/telemetry/log";
import { importRoutes } from "./routes";
import { createImportService, type ImportServiceOptions } from "./service";

export interface ImportParts extends Omit<ImportServiceOptions, "classOf"> {
  log: Log;
  config: { outboundAllow: string[] };
}

export const importModule = ({ log, config, ...parts }: ImportParts, guard: Guard) =>
  importRoutes(createImportService({ ...parts, classOf: createAddressCheck(config.outboundAllow) }), log, guard);
