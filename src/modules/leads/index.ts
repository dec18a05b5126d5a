import type { Guard } from "@/http/access";
import type { Log } from "@/platform/telemetry/log";
import { leadRoutes } from "./routes";
import { createLeadService, type LeadOptions } from "./service";

export const leadModule = ({ log, ...parts }: LeadOptions & { log: Log }, guard: Guard) =>
  leadRoutes(createLeadService(parts), log, guard);
