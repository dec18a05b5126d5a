import { Elysia, t } from "elysia";
import { BioPage, BioPageInput, BioPagePage, BioPageUpdate } from "@/contract/links/bio-pages";
import { Deleted, pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, ifMatchOf } from "@/http/headers/entity-tag";
import { PAGE_LIMIT } from "@/http/page";
import type { BioPageService } from "./service";

const soundInput = (pages: BioPageService) =>
  onValidFields(BioPageInput, ({ tenant }, sound) => pages.check(tenant, sound));
const soundUpdate = (pages: BioPageService) =>
  onValidFields(BioPageUpdate, ({ tenant, params }, sound) => pages.checkUpdate(tenant, params.bioPageId ?? "", sound));

export const bioPageRoutes = (pages: BioPageService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/bio-pages", tags: ["Bio pages"] })
    .use(guard)
    .get("", ({ tenant, query }) => pages.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "viewer", scopes: ["read", "links"] },
      query: t.Object(pageQuery),
      response: { 200: BioPagePage, ...failures(400, 401, 403, 404) },
      detail: { operationId: "listBioPages", summary: "List bio pages", description: "Newest first." },
    })
    .post("", ({ tenant, body, once }) => pages.create(tenant, body, once), {
      member: { role: "member", scopes: ["links"] },
      repeatable: "plain",
      body: BioPageInput,
      alsoChecked: soundInput(pages),
      response: { 200: BioPage, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createBioPage",
        summary: "Create a bio page",
        description:
          "A page of links at a short URL; pages and links share the slugs of their domain. An item leads either to its " +
          "`url`, and its clicks count as clicks of the page (the page's `_id` is their `linkId`), or to the short URL of " +
          "the link it names, and its clicks count for that link. An item is hidden while its link is deleted, inactive, " +
          "unsafe, not yet started or no longer served. Viewing the page is not a click. Text stays readable whatever the " +
          "theme's colors. An organization can have up to 500 pages.",
      },
    })
    .get("/:bioPageId", ({ tenant, params }) => pages.get(tenant, params.bioPageId), {
      member: { role: "viewer", scopes: ["read", "links"] },
      response: { 200: BioPage, ...failures(401, 403, 404) },
      detail: {
        operationId: "getBioPage",
        summary: "Get a bio page",
        description: "Includes its theme and links.",
      },
    })
    .patch(
      "/:bioPageId",
      ({ tenant, params, body, request }) => pages.update(tenant, params.bioPageId, body, ifMatchOf(request)),
      {
        member: { role: "member", scopes: ["links"] },
        body: BioPageUpdate,
        alsoChecked: soundUpdate(pages),
        response: { 200: BioPage, ...failures(400, 401, 403, 404, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateBioPage",
          summary: "Update a bio page",
          description:
            "Omitted fields keep their value, and null clears a field. `theme` and `links` are replaced as a whole. An item " +
            "keeps its figures if it sends its `key` or leads to the same destination as before. `domainId` and `slug` change " +
            "nothing.",
        },
      },
    )
    .delete(
      "/:bioPageId",
      ({ tenant, params, request }) => pages.remove(tenant, params.bioPageId, ifMatchOf(request)),
      {
        member: { role: "member", scopes: ["links"] },
        response: { 200: Deleted, ...failures(400, 401, 403, 404, 409, 412) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "deleteBioPage",
          summary: "Delete a bio page",
          description:
            "Stops serving the page immediately, keeps its figures, and frees the slug. Returns 409 while " +
            "it is the home page of its domain (`redirects.root`).",
        },
      },
    );
