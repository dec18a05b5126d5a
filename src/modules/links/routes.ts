/** Routes for links: for an organization's members, and for its servers with an API key. */
import { Elysia } from "elysia";
import { LinkListQuery, LinkPage, LinkWithBlockers } from "@/contract/links/link-lists";
import { LinkPreview, LinkPreviewInput } from "@/contract/links/link-preview";
import { Link, LinkInput, LinkUpdate } from "@/contract/links/links";
import { TrafficPreview, TrafficPreviewInput } from "@/contract/links/traffic-preview";
import { Deleted } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { CHANGES_TAGGED, CREATES_OR_CHANGES_TAGGED, createsOnly, ifMatchOf } from "@/http/headers/entity-tag";
import type { PutByExternalId } from "./by-external-id";
import { parseListQuery } from "./list-query";
import type { LinkPreviewer } from "./preview/preview";
import type { TrafficPreviewer } from "./preview/traffic";
import type { LinkService } from "./service";

const soundInput = (links: LinkService) => onValidFields(LinkInput, ({ tenant }, sound) => links.check(tenant, sound));
const soundUpdate = (links: LinkService) =>
  onValidFields(LinkUpdate, ({ tenant, params }, sound) => links.checkUpdate(tenant, params.linkId ?? "", sound));

interface Previewers {
  preview: LinkPreviewer;
  previewTraffic: TrafficPreviewer;
}

export const organizationLinkRoutes = (links: LinkService, { preview, previewTraffic }: Previewers, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .get("", ({ tenant, query, request }) => links.list(tenant, parseListQuery(query, request.url)), {
      member: { role: "viewer", scopes: ["read", "links"] },
      query: LinkListQuery,
      response: { 200: LinkPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listLinks",
        summary: "List links",
        description:
          "Newest first unless you `sort`. All filters must hold; archived links are left out unless you ask for them. Read " +
          "long lists with `cursor`. A total beyond 10,000 is an estimate, marked with `totalIsEstimate`: if you use `page`, " +
          "continue while it is below `totalPages` of the latest response to get every link.",
      },
    })
    .post("", async ({ tenant, body, once, status }) => status(201, await links.create(tenant, body, once)), {
      member: { role: "member", scopes: ["links"] },
      repeatable: "plain",
      body: LinkInput,
      alsoChecked: soundInput(links),
      response: { 201: Link, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createLink",
        summary: "Create a link",
        description:
          "Without a `slug`, the service generates one; without a `domainId`, the link is created on the organization's " +
          "primary domain, or else on the shared one. Unknown fields inside `conditions` are refused, since ignoring a " +
          "condition would make the rule match everyone. Send an `Idempotency-Key` to retry safely.",
      },
    })
    .post("/preview", ({ tenant, body }) => preview(tenant, body), {
      member: { role: "viewer", scopes: ["read", "links"] },
      body: LinkPreviewInput,
      response: { 200: LinkPreview, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "previewLink",
        summary: "Preview a link's routing for a simulated visitor",
        description: "Does not fetch the destination or record a click.",
      },
    })
    .post("/:linkId/preview/traffic", ({ tenant, params, body }) => previewTraffic(tenant, params.linkId, body), {
      member: { role: "viewer", scopes: ["analytics"] },
      body: TrafficPreviewInput,
      response: { 200: TrafficPreview, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "previewLinkTraffic",
        summary: "Preview a link's routing for its recent clicks",
        description:
          "Evaluates the clicks that people really made with the rules you send, and says which share each rule would have " +
          "decided. Nothing is saved. With more than 2,000 clicks, a sample is evaluated.",
      },
    })
    .get("/:linkId", ({ tenant, params }) => links.get(tenant, params.linkId), {
      member: { role: "viewer", scopes: ["read", "links"] },
      response: { 200: LinkWithBlockers, ...failures(401, 403, 404) },
      detail: {
        operationId: "getLink",
        summary: "Get a link",
        description:
          "Includes its routing, its click count, the safety of its destinations, and in `blockers` why it does not serve.",
      },
    })
    .patch(
      "/:linkId",
      ({ tenant, params, body, request }) => links.update(tenant, params.linkId, body, ifMatchOf(request)),
      {
        member: { role: "member", scopes: ["links"] },
        body: LinkUpdate,
        alsoChecked: soundUpdate(links),
        response: { 200: Link, ...failures(400, 401, 403, 404, 409, 412, 413, 415) },
        detail: {
          ...CHANGES_TAGGED,
          operationId: "updateLink",
          summary: "Update a link",
          description:
            "Omitted fields keep their value, and null clears a field. `domainId`, `slug` and `pathPrefix` change nothing.",
        },
      },
    )
    .delete("/:linkId", ({ tenant, params, request }) => links.remove(tenant, params.linkId, ifMatchOf(request)), {
      member: { role: "member", scopes: ["links"] },
      response: { 200: Deleted, ...failures(400, 401, 403, 404, 412) },
      detail: {
        ...CHANGES_TAGGED,
        operationId: "deleteLink",
        summary: "Delete a link",
        description: "Stops serving the link immediately, keeps its figures, and frees the slug.",
      },
    });

export const externalIdRoutes = (links: LinkService, put: PutByExternalId, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links/by-external-id", tags: ["Links"] }).use(guard).put(
    "/:externalId",
    async ({ tenant, params, body, request, status }) => {
      const only = { ifMatch: ifMatchOf(request), createsOnly: createsOnly(request) };
      const { link, isNew } = await put(tenant, params.externalId, body, only);
      return isNew ? status(201, link) : link;
    },
    {
      member: { role: "member", scopes: ["links"] },
      body: LinkInput,
      alsoChecked: soundInput(links),
      response: { 200: Link, 201: Link, ...failures(400, 401, 403, 404, 409, 412, 413, 415) },
      detail: {
        ...CREATES_OR_CHANGES_TAGGED,
        operationId: "putLinkByExternalId",
        summary: "Create or update a link by your own id",
        description:
          "Creates the link if your organization has none with this `externalId` (201), else updates it (200). Fields you leave out stay as they are, and the short URL never changes, so you can send the same request again.",
      },
    },
  );

export const apiKeyLinkRoutes = (links: LinkService, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/links", tags: ["Server API"] })
    .use(guard)
    .post("", async ({ tenant, body, once, status }) => status(201, await links.create(tenant, body, once)), {
      apiKey: "links:write",
      repeatable: "plain",
      body: LinkInput,
      alsoChecked: soundInput(links),
      response: { 201: Link, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createLinkWithApiKey",
        summary: "Create a link with an API key",
        description:
          "Accepts the same fields as creation by a signed-in user. Send an `Idempotency-Key` to retry safely.",
      },
    })
    .get("/:linkId", ({ tenant, params }) => links.get(tenant, params.linkId), {
      apiKey: "links:read",
      response: { 200: LinkWithBlockers, ...failures(401, 403, 404) },
      detail: {
        operationId: "getLinkWithApiKey",
        summary: "Get a link with an API key",
        description: "Returns the same record that a signed-in user sees.",
      },
    });
