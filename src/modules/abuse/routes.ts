import { Elysia } from "elysia";
import { AbuseItem, AbuseQueue, AbuseQueueQuery, AbuseReviewInput } from "@/contract/abuse";
import type { access } from "@/http/access";
import { failures } from "@/http/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { AbuseService } from "./service";

export const abuseRoutes = (abuse: AbuseService, guard: ReturnType<typeof access>) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics/abuse-queue", tags: ["Analytics"] })
    .use(guard)
    .get(
      "",
      ({ tenant, query }) => abuse.list(tenant, query.status ?? "pending", query.page ?? 1, query.limit ?? PAGE_LIMIT),
      {
        member: "viewer",
        query: AbuseQueueQuery,
        response: { 200: AbuseQueue, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "listAbuseQueue",
          summary: "List suspicious clicks",
          description:
            "Clicks with a spam score from 70. Until somebody reviews them they count as bots', but for those of a mere `crowd`, which count as people's. The newest 10,000 are " +
            "listed and counted in `total`, the others as these are reviewed.",
        },
      },
    )
    .patch("/:clickId", ({ tenant, params, body }) => abuse.review(tenant, params.clickId, body), {
      member: "member",
      body: AbuseReviewInput,
      response: { 200: AbuseItem, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "reviewAbuse",
        summary: "Review a suspicious click",
        description: "Every figure follows at once. A verdict may be changed, and taken back with `pending`.",
      },
    });
