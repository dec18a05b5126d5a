import { Elysia } from "elysia";
import {
  AbuseBulkInput,
  AbuseBulkOutcome,
  AbuseGroups,
  AbuseGroupsQuery,
  AbuseItem,
  AbuseQueue,
  AbuseQueueQuery,
  AbuseReviewInput,
} from "@/contract/analytics/abuse";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { AbuseService } from "./service";

export const abuseRoutes = (abuse: AbuseService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics/abuse-queue", tags: ["Analytics"] })
    .use(guard)
    .get("", ({ tenant, query }) => abuse.list(tenant, query), {
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
    })
    .get("/groups", ({ tenant, query }) => abuse.groups(tenant, query), {
      member: "viewer",
      query: AbuseGroupsQuery,
      response: { 200: AbuseGroups, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listAbuseGroups",
        summary: "List suspicious clicks by address or link",
        description:
          "Puts the newest 100,000 clicks of a status together by where they came from or by link, the largest groups " +
          "first. Addresses are not stored: an `addressId` stands for one, in this workspace alone.",
      },
    })
    .post("/bulk", ({ tenant, body }) => abuse.reviewAll(tenant, body), {
      member: "member",
      body: AbuseBulkInput,
      response: { 200: AbuseBulkOutcome, ...failures(400, 401, 403, 404, 413, 415, 503) },
      detail: {
        operationId: "reviewAbuseInBulk",
        summary: "Review all suspicious clicks from an address or of a link",
        description:
          "Give `addressId`, `linkId`, or both. Judges for about five seconds; while `remaining` is above 0, send the same " +
          "request again. Every figure follows at once, and installs that were claimed from a click go with it. To send " +
          "it once more when all is judged changes nothing.",
      },
    })
    .patch("/:clickId", ({ tenant, params, body }) => abuse.review(tenant, params.clickId, body), {
      member: "member",
      body: AbuseReviewInput,
      response: { 200: AbuseItem, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "reviewAbuse",
        summary: "Review a suspicious click",
        description:
          "Every figure follows at once, and an install that was claimed from the click goes with it. A verdict may be changed, and taken back with `pending`.",
      },
    });
