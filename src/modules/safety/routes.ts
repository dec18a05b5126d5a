import { Elysia } from "elysia";
import { Safety } from "@/contract/links/safety";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { SafetyService } from "./service";

export const safetyRoutes = (safety: SafetyService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links/:linkId/safety", tags: ["Links"] })
    .use(guard)
    .post("/rescan", ({ tenant, params }) => safety.rescan(tenant, params.linkId), {
      member: { role: "member", scopes: ["links"] },
      response: { 200: Safety, ...failures(401, 403, 404) },
      detail: {
        operationId: "rescanLinkSafety",
        summary: "Rescan a link's destinations",
        description:
          "Checks every source now: the URLs themselves, the operator's blocklist and, if set up, Google Web Risk. The " +
          "response waits for Web Risk; if it does not respond, its last verdict stands and the link is checked again within the " +
          "hour. Limit: 60 a minute per organization.",
      },
    });
