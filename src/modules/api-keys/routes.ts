import { Elysia, t } from "elysia";
import { ApiKeyCreated, ApiKeyInput, ApiKeyPage } from "@/contract/accounts/api-keys";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { ApiKeyService } from "./service";

export const apiKeyRoutes = (apiKeys: ApiKeyService, guard: Guard) =>
  new Elysia({
    prefix: "/api/v1/organizations/:orgId/api-keys",
    tags: ["API keys"],
  })
    .use(guard)
    .get("", ({ tenant, query }) => apiKeys.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "admin", scopes: ["read", "manage"] },
      query: t.Object(pageQuery),
      response: { 200: ApiKeyPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listApiKeys",
        summary: "List API keys",
        description: "Newest first. Only the first characters of each key are shown.",
      },
    })
    .post("", async ({ tenant, body, once, status }) => status(201, await apiKeys.create(tenant, body, once)), {
      member: { role: "admin", scopes: ["manage"] },
      repeatable: "sealed",
      body: ApiKeyInput,
      alsoChecked: soundInput(apiKeys),
      response: {
        201: ApiKeyCreated,
        ...failures(400, 401, 403, 404, 413, 415),
      },
      detail: {
        operationId: "createApiKey",
        summary: "Create an API key",
        description:
          "The response contains the key. It is shown only this once: the service keeps only its hash. With an " +
          "`Idempotency-Key`, a repeated request shows it again for 24 hours.",
      },
    })
    .delete("/:keyId", ({ tenant, params }) => apiKeys.revoke(tenant, params.keyId), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "revokeApiKey",
        summary: "Revoke an API key",
        description: "Requests with the key are refused immediately.",
      },
    });

const soundInput = (apiKeys: ApiKeyService) => onValidFields(ApiKeyInput, (_, sound) => apiKeys.check(sound));
