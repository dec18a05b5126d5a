import type { access } from "@/http/access";
import type { Log } from "@/platform/log";
import { leadRoutes } from "./routes";
import { createLeadService, type LeadOptions } from "./service";

export const leadApi = ({ log, ...options }: LeadOptions & { log: Log }, guard: ReturnType<typeof access>) =>
  leadRoutes(createLeadService(options), log, guard);
