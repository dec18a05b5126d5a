import type { access } from "@/http/access";
import { insightRoutes } from "./routes";
import { createInsights, type InsightOptions } from "./service";

export const insightApi = (options: InsightOptions, guard: ReturnType<typeof access>) =>
  insightRoutes(createInsights(options), guard);
