import { Elysia, t } from "elysia";
import { RevisionPage } from "@/contract/links/revisions";
import { pageQuery } from "@/contract/schema";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { LinkHistory } from "./history";

export const linkHistoryRoutes = (history: LinkHistory, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/links", tags: ["Links"] })
    .use(guard)
    .get(
      "/:linkId/revisions",
      ({ tenant, params, query }) => history(tenant, params.linkId, query.page ?? 1, query.limit ?? PAGE_LIMIT),
      {
        member: { role: "viewer", scopes: ["read", "links"] },
        query: t.Object(pageQuery),
        response: { 200: RevisionPage, ...failures(400, 401, 403, 404) },
        detail: {
          operationId: "listLinkRevisions",
          summary: "List a link's revisions",
          description:
            "Lists the creation and every change, each with the resulting link. Not available for deleted links.",
        },
      },
    );
