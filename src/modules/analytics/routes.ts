import { Elysia } from "elysia";
import { AnalyticsOverview, AnalyticsQuery } from "@/contract/analytics";
import type { access } from "@/http/access";
import { failures } from "@/http/openapi-responses";
import type { AnalyticsService } from "./service";

export const analyticsRoutes = (analytics: AnalyticsService, guard: ReturnType<typeof access>) =>
  new Elysia({
    prefix: "/api/v1/organizations/:orgId/analytics",
    tags: ["Analytics"],
  })
    .use(guard)
    .get("/overview", ({ tenant, query }) => analytics.overview(tenant.orgId, query), {
      member: "viewer",
      query: AnalyticsQuery,
      response: {
        200: AnalyticsOverview,
        ...failures(400, 401, 403, 404, 503),
      },
      detail: {
        operationId: "getAnalyticsOverview",
        summary: "Clicks, visitors, opens and where they came from",
      },
    });
