import type { Guard } from "@/http/access";
import type { Log } from "@/platform/telemetry/log";
import type { LeadExporter } from "./export";
import { leadRoutes } from "./routes";
import { createLeadService, type LeadOptions } from "./service";

export interface LeadParts extends LeadOptions {
  leadExporter: LeadExporter;
  log: Log;
}

export const leadModule = ({ leadExporter, log, ...parts }: LeadParts, guard: Guard) =>
  leadRoutes(createLeadService(parts), leadExporter, log, guard);
