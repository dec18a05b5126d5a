import { Elysia } from "elysia";
import { PrivacyErasure, PrivacyErasureInput } from "@/contract/accounts/privacy";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { PrivacyService } from "./service";

export const privacyRoutes = (privacy: PrivacyService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/privacy", tags: ["Privacy"] })
    .use(guard)
    .post("/erase", ({ tenant, body }) => privacy.erase(tenant, body), {
      member: "admin",
      body: PrivacyErasureInput,
      response: { 200: PrivacyErasure, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "eraseVisitor",
        summary: "Erase what is kept of a visitor",
        description:
          "Figures stay what they were: they hold no personal data. Clicks and opens stay as nobody's, with another id and to " +
          "the minute; custom events without visitor and metadata; leads, and the bodies of webhook deliveries, go. It cannot " +
          "be undone. Sent again it finds nothing more, or what a call that was not complete has left. What a visitor did " +
          "within the last seconds may not be there yet. The audit log tells of it by `_id`, and not of whom.",
      },
    });
