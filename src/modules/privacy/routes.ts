import { Elysia } from "elysia";
import { PrivacyErasure, PrivacyErasureInput } from "@/contract/accounts/privacy";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { PrivacyService } from "./service";

export const privacyRoutes = (privacy: PrivacyService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/privacy", tags: ["Privacy"] })
    .use(guard)
    .post("/erase", ({ tenant, body }) => privacy.erase(tenant, body), {
      member: { role: "admin", scopes: ["manage"] },
      body: PrivacyErasureInput,
      response: { 200: PrivacyErasure, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "eraseVisitor",
        summary: "Erase a visitor's data",
        description:
          "Figures stay the same, since they contain no personal data. Clicks and opens become anonymous: they get a new id, " +
          "and their time is cut to the minute. Custom events lose visitor and metadata. Leads and the bodies of webhook " +
          "deliveries are deleted. Erasure cannot be undone. A repeated request finds nothing more, or only what an " +
          "incomplete call left. Activity of the last few seconds may be missed. The audit log records the erasure by " +
          "`_id`, without naming the visitor.",
      },
    });
