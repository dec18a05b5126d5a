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
      member: { role: "viewer", scopes: ["analytics"] },
      query: AbuseQueueQuery,
      response: { 200: AbuseQueue, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listAbuseQueue",
        summary: "List suspicious clicks",
        description:
          "Lists clicks with a spam score of 70 or more. Until someone reviews them, they count as bot clicks, except those " +
          "flagged only as `crowd`, which count as human. The list and its `total` cover the newest 10,000; older ones " +
          "appear as you review these.",
      },
    })
    .get("/groups", ({ tenant, query }) => abuse.groups(tenant, query), {
      member: { role: "viewer", scopes: ["analytics"] },
      query: AbuseGroupsQuery,
      response: { 200: AbuseGroups, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listAbuseGroups",
        summary: "List suspicious clicks by address or link",
        description:
          "Groups the newest 100,000 clicks of a status by address or by link, largest groups first. Addresses are not " +
          "stored: an `addressId` stands for one, and only within this organization.",
      },
    })
    .post("/bulk", ({ tenant, body }) => abuse.reviewAll(tenant, body), {
      member: { role: "member", scopes: ["analytics"] },
      body: AbuseBulkInput,
      response: { 200: AbuseBulkOutcome, ...failures(400, 401, 403, 404, 413, 415, 503) },
      detail: {
        operationId: "reviewAbuseInBulk",
        summary: "Review all suspicious clicks from an address or of a link",
        description:
          "Send `addressId`, `linkId` or both. A request runs for about five seconds; while `remaining` is above 0, send " +
          "the same request again. All figures update at once, including the leads of these clicks and installs claimed from them. Repeating a " +
          "finished request changes nothing.",
      },
    })
    .patch("/:clickId", ({ tenant, params, body }) => abuse.review(tenant, params.clickId, body), {
      member: { role: "member", scopes: ["analytics"] },
      body: AbuseReviewInput,
      response: { 200: AbuseItem, ...failures(400, 401, 403, 404, 413, 415, 503) },
      detail: {
        operationId: "reviewAbuse",
        summary: "Review a suspicious click",
        description:
          "All figures update at once, including a lead that the visitor left and an install claimed from the click. You can " +
          "change a verdict, or withdraw it with `pending`.",
      },
    });
