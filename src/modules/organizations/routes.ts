import { Elysia } from "elysia";
import {
  ORGANIZATIONS_OWNED_MAX,
  Organization,
  OrganizationInput,
  OrganizationUpdate,
} from "@/contract/accounts/organizations";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import type { OrganizationService } from "./service";
import { checkedOrganizationFields } from "./validate";

const soundUpdate = onValidFields(OrganizationUpdate, (_, sound) => checkedOrganizationFields(sound));

export const organizationRoutes = (organizations: OrganizationService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations", tags: ["Organizations"] })
    .use(guard)
    .post(
      "",
      async ({ user, body, once, status }) => status(201, await organizations.createAnother(user, body, once)),
      {
        user: true,
        repeatable: "plain",
        body: OrganizationInput,
        response: { 201: Organization, ...failures(400, 401, 403, 409, 413, 415) },
        detail: {
          operationId: "createOrganization",
          summary: "Create another organization",
          description: `A user can own up to ${ORGANIZATIONS_OWNED_MAX} organizations.`,
        },
      },
    )
    .get("/:orgId", ({ tenant }) => organizations.get(tenant), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      response: { 200: Organization, ...failures(401, 403, 404) },
      detail: {
        operationId: "getOrganization",
        summary: "Get an organization",
        description: "Includes its branding and settings.",
      },
    })
    .patch("/:orgId", ({ tenant, body, request }) => organizations.update(tenant, body, ifMatchOf(request)), {
      member: { role: "admin", scopes: ["manage"] },
      body: OrganizationUpdate,
      alsoChecked: soundUpdate,
      response: { 200: Organization, ...failures(400, 401, 403, 404, 412, 413, 415) },
      detail: {
        ...CHANGES_TAGGED,
        operationId: "updateOrganization",
        summary: "Update an organization",
        description:
          "Omitted fields keep their value. `branding` and `settings` are replaced as a whole, and null clears them. The " +
          "slug never changes.",
      },
    });
