import { Elysia, t } from "elysia";
import { AppProfile, AppProfileInput, AppProfilePage, AppProfileUpdate } from "@/contract/apps";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { ofSound } from "@/http/beside";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { AppService } from "./service";
import { checkedValues } from "./validate";

const soundInput = ofSound(AppProfileInput, (_, sound) => checkedValues(sound));
const soundUpdate = ofSound(AppProfileUpdate, (_, sound) => checkedValues(sound));

export const appRoutes = (apps: AppService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/apps", tags: ["Apps"] })
    .use(guard)
    .get("", ({ tenant, query }) => apps.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: "viewer",
      query: t.Object(pageQuery),
      response: { 200: AppProfilePage, ...failures(400, 401, 403, 404) },
      detail: { operationId: "listApps", summary: "List app profiles", description: "Newest first." },
    })
    .post("", ({ tenant, body }) => apps.create(tenant, body), {
      member: "admin",
      body: AppProfileInput,
      alsoChecked: soundInput,
      response: { 200: AppProfile, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createApp",
        summary: "Create an app profile",
        description:
          "A link's app is the profile it names; else, on the organization's own domains, the profile whose `pathPrefix` " +
          "matches the link's path longest, the older one of two alike; else the domain's `appConfig`. With `teamId` and " +
          "`bundleId`, or `packageName` and fingerprints, the app stands in the association files of every verified domain. " +
          "An organization may have 100 profiles.",
      },
    })
    .patch("/:appId", ({ tenant, params, body }) => apps.update(tenant, params.appId, body), {
      member: "admin",
      body: AppProfileUpdate,
      alsoChecked: soundUpdate,
      response: { 200: AppProfile, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "updateApp",
        summary: "Update an app profile",
        description:
          "Absent fields stay, null clears, `ios` and `android` are replaced as a whole. The next visit follows; links keep " +
          "the path they were made with.",
      },
    })
    .delete("/:appId", ({ tenant, params }) => apps.remove(tenant, params.appId), {
      member: "admin",
      response: { 200: Deleted, ...failures(401, 403, 404, 409) },
      detail: {
        operationId: "deleteApp",
        summary: "Delete an app profile",
        description: "409 while links name it; those that have it by their path fall back to the next one.",
      },
    });
