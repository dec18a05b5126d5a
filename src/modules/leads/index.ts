import type { Guard } from "@/http/access";
import type { Log } from "@/platform/log";
import { leadRoutes } from "./routes";
import { createLeadService, type LeadOptions } from "./service";

export const leadApi = ({ log, ...options }: LeadOptions & { log: Log }, guard: Guard) =>
  leadRoutes(createLeadService(options), log, guard);
