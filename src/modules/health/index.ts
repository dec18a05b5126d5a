import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import { metricsRoutes } from "./metrics-routes";
import { type HealthOptions, healthRoutes } from "./routes";

export interface HealthParts extends HealthOptions {
  /** Collects the metrics of all processes of this server. */
  metricsOfAll(): Promise<WorkerMetrics[]>;
}

export const healthModule = (parts: HealthParts, guard: Guard) =>
  new Elysia().use(healthRoutes(parts, guard)).use(metricsRoutes(parts.metricsOfAll, guard));
