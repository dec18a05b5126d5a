import { Elysia, t } from "elysia";
import { AppProfile, AppProfileInput, AppProfilePage, AppProfileUpdate } from "@/contract/apps";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import { PAGE_LIMIT } from "@/http/page";
import type { AppService } from "./service";
import { checkedValues } from "./validate";

const soundInput = onValidFields(AppProfileInput, (_, sound) => checkedValues(sound));
const soundUpdate = onValidFields(AppProfileUpdate, (_, sound) => checkedValues(sound));

export const appRoutes = (apps: AppService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/apps", tags: ["Apps"] })
    .use(guard)
    .get("", ({ tenant, query }) => apps.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      query: t.Object(pageQuery),
      response: { 200: AppProfilePage, ...failures(400, 401, 403, 404) },
      detail: { operationId: "listApps", summary: "List app profiles", description: "Newest first." },
    })
    .post("", ({ tenant, body, once }) => apps.create(tenant, body, once), {
      member: { role: "admin", scopes: ["manage"] },
      repeatable: "plain",
      body: AppProfileInput,
      alsoChecked: soundInput,
      response: { 200: AppProfile, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createApp",
        summary: "Create an app profile",
        description:
          "A link uses the profile it names. Otherwise, on the organization's own domains, it uses the profile with the " +
          "longest `pathPrefix` that matches the link's path (the older one if two are equal), or else the domain's " +
          "`appConfig`. With `teamId` and `bundleId`, or `packageName` and fingerprints, the app is listed in the " +
          "association files of every verified domain. An organization can have up to 100 profiles.",
      },
    })
    .get("/:appId", ({ tenant, params }) => apps.get(tenant, params.appId), {
      member: { role: "viewer", scopes: ["read", "manage"] },
      response: { 200: AppProfile, ...failures(401, 403, 404) },
      detail: {
        operationId: "getApp",
        summary: "Get an app profile",
        description: "Returns the same record as the list.",
      },
    })
    .patch(
      "/:appId",
      ({ tenant, params, body, request }) => apps.update(tenant, params.appId, body, ifMatchOf(request)),
      {
        member: { role: "admin", scopes: ["manage"] },
        body: AppProfileUpdate,
        alsoChecked: soundUpdate,
        response: { 200: AppProfile, ...failures(400, 401, 403, 404, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateApp",
          summary: "Update an app profile",
          description:
            "Omitted fields keep their value, and null clears a field. `ios` and `android` are replaced as a whole. Changes " +
            "apply from the next visit; links keep the path they were created with.",
        },
      },
    )
    .delete("/:appId", ({ tenant, params, request }) => apps.remove(tenant, params.appId, ifMatchOf(request)), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: Deleted, ...failures(400, 401, 403, 404, 409, 412) },
      detail: {
        ...CHANGES_TAGGED,
        operationId: "deleteApp",
        summary: "Delete an app profile",
        description: "Returns 409 while links name the profile. Links that use it by path fall back to the next match.",
      },
    });
