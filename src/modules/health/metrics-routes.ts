/** Serves metrics to Prometheus, for all processes of this server. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { METRICS_TYPE, renderMetrics, type WorkerMetrics } from "@/platform/telemetry/metrics";

const Text = Type.String({
  contentMediaType: "text/plain",
  description: "Prometheus text format",
  examples: ['waymark_degraded{worker="1"} 0\n'],
});

export const metricsRoutes = (metricsOfAll: () => Promise<WorkerMetrics[]>, guard: Guard) =>
  new Elysia({ tags: ["Service"] })
    .use(guard)
    .get(
      "/metrics",
      async () =>
        new Response(await renderMetrics(await metricsOfAll()), { headers: { "content-type": METRICS_TYPE } }),
      {
        operator: true,
        response: { 200: Text, ...failures(401) },
        detail: {
          operationId: "getMetrics",
          summary: "Get Prometheus metrics",
          description:
            "Covers visits by outcome, the link cache, clicks in progress, webhooks, API requests and processes.",
        },
      },
    );
