/** What a service tells of itself. */
import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import type { WorkerMetrics } from "@/platform/metrics";
import { metricsRoutes } from "./metrics-routes";
import { type HealthOptions, healthRoutes } from "./routes";

export interface Told extends Pick<HealthOptions, "faults"> {
  /** Told how each request ended, after how many seconds. */
  measure(route: string, method: string, status: number, seconds: number): void;
  /** Of all processes of this server. */
  metricsOfAll(): Promise<WorkerMetrics[]>;
}

export const healthApi = (options: HealthOptions & Told, guard: Guard) =>
  new Elysia().use(healthRoutes(options, guard)).use(metricsRoutes(options.metricsOfAll, guard));
