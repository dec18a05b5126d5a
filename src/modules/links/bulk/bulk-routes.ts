import { Elysia } from "elysia";
import {
  BULK_CHANGES_MAX,
  BulkDeleteInput,
  BulkDeleteResult,
  BulkUpdateInput,
  BulkUpdateResult,
} from "@/contract/links/bulk-changes";
import { BULK_BODY_BYTES_MAX, BulkLinkInput, BulkLinkResult } from "@/contract/links/bulk-links";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { LinkService } from "../service";
import type { BulkLinks } from "./bulk";

export const bulkLinkRoutes = (links: LinkService, createAll: BulkLinks, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .post(
      "/bulk",
      ({ tenant, body, set, once }) => createAll(tenant, body.links, String(set.headers["x-request-id"]), once),
      {
        member: { role: "member", scopes: ["links"], bytesMax: BULK_BODY_BYTES_MAX, leavesUnfit: true },
        repeatable: "plain",
        body: BulkLinkInput,
        response: { 200: BulkLinkResult, ...failures(400, 401, 403, 404, 413, 415) },
        detail: {
          operationId: "createLinks",
          summary: "Create many links",
          description:
            "Creates each link as if it were sent alone: `errors` lists failed links by position, " +
            "and the rest are created together in one transaction. If two links share a slug, the first gets it; links beyond " +
            "the plan's limit are errors too. The body can be up to 1 MB. Returns 400 only if the body is not a list of " +
            "links, is empty, or has more links than the plan allows at once (at most 100). Send an `Idempotency-Key` to retry " +
            "safely: `errors` are then those of the first request, too.",
        },
      },
    )
    .patch("/bulk", ({ tenant, body }) => links.updateMany(tenant, body), {
      member: { role: "member", scopes: ["links"] },
      body: BulkUpdateInput,
      response: { 200: BulkUpdateResult, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "updateLinks",
        summary: "Update many links",
        description:
          `Applies the same \`changes\` to up to ${BULK_CHANGES_MAX.toLocaleString("en")} links, chosen by \`ids\` or by a \`filter\`. A filter needs ` +
          "`expected`, the number of links you saw: if it selects another number, nothing changes. Each link is changed " +
          "independently of the others; `errors` lists those that could not be changed. It is safe to send the request again.",
      },
    })
    .post("/bulk-delete", ({ tenant, body }) => links.removeMany(tenant, body), {
      member: { role: "member", scopes: ["links"] },
      body: BulkDeleteInput,
      response: { 200: BulkDeleteResult, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "deleteLinks",
        summary: "Delete many links",
        description:
          "Selects links as in `PATCH …/links/bulk`, stops serving them immediately, keeps their figures, and frees their slugs.",
      },
    });
