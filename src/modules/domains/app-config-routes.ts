import { Elysia } from "elysia";
import { AppConfigInput } from "@/contract/apps";
import { Domain } from "@/contract/domains";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import type { AppConfigService } from "./app-config";

export const appConfigRoutes = (appConfigs: AppConfigService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/domains", tags: ["Domains"] })
    .use(guard)
    .patch(
      "/:domainId/app-config",
      ({ tenant, params, body, request }) => appConfigs.update(tenant, params.domainId, body, ifMatchOf(request)),
      {
        member: { role: "admin", scopes: ["manage"] },
        body: AppConfigInput,
        response: { 200: Domain, ...failures(400, 401, 403, 404, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateDomainAppConfig",
          summary: "Update a domain's default app",
          description:
            "Applies to links that name no app profile and whose path matches none. Omitted fields keep their value, and null " +
            "clears a field. `ios` and `android` are replaced as a whole. Changes apply from the next visit, and to the " +
            "domain's association files.",
        },
      },
    );
