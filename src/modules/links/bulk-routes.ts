import { Elysia } from "elysia";
import { BULK_BODY_BYTES_MAX, BulkLinkInput, BulkLinkResult } from "@/contract/links/bulk-links";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { BulkLinks } from "./bulk";

export const bulkLinkRoutes = (createAll: BulkLinks, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .post("/bulk", ({ tenant, body, set }) => createAll(tenant, body.links, String(set.headers["x-request-id"])), {
      member: { role: "member", bytesMax: BULK_BODY_BYTES_MAX, leavesText: true },
      body: BulkLinkInput,
      response: { 200: BulkLinkResult, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "createLinks",
        summary: "Create many links",
        description:
          "Each as in a single creation and for itself: what is wrong with one stands in `errors` under its position, and " +
          "the others are created. Of two with the same slug the first has it; what the plan has no room for any more " +
          "is an error as well. Those that are created are created together, in one transaction. The body may have 1 MB. 400 is answered only to a body that is no list of links, is " +
          "empty, or has more than the plan allows at once, which is 100 at most.",
      },
    });
