import { Elysia } from "elysia";
import { Usage } from "@/contract/accounts/usage";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import type { Plans } from "./service";

export const planRoutes = (plans: Pick<Plans, "usage">, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/usage", tags: ["Organizations"] })
    .use(guard)
    .get("", ({ tenant }) => plans.usage(tenant), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      response: { 200: Usage, ...failures(401, 403, 404) },
      detail: {
        operationId: "getUsage",
        summary: "Get the organization's usage",
        description: "Request counts update within seconds. Creating more than a limit allows returns 429.",
      },
    });
