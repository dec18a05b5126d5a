import type { Guard } from "@/http/access";
import { insightRoutes } from "./routes";
import type { InsightService } from "./service";

export const insightModule = ({ insights }: { insights: InsightService }, guard: Guard) =>
  insightRoutes(insights, guard);
