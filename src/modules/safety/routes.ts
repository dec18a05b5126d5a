import { Elysia } from "elysia";
import { Safety } from "@/contract/links/safety";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { SafetyService } from "./service";

export const safetyRoutes = (safety: SafetyService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links/:linkId/safety", tags: ["Links"] })
    .use(guard)
    .post("/rescan", ({ tenant, params }) => safety.rescan(tenant, params.linkId), {
      member: "member",
      response: { 200: Safety, ...failures(401, 403, 404) },
      detail: {
        operationId: "rescanLinkSafety",
        summary: "Check a link's destinations again",
        description:
          "Asks every source now: signs in the URLs, the operator's blocklist, and Google Web Risk where it is set up, which is waited for. Where Web Risk does not answer, what it said before stands, and the link is looked at again within the hour. At most 60 a minute in an organization.",
      },
    });
