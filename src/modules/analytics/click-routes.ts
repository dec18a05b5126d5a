import { Elysia } from "elysia";
import { ClickDetail, ClickPage, ClicksQuery } from "@/contract/analytics/clicks";
import type { Guard } from "@/http/access";
import { failures } from "@/http/document/openapi-responses";
import { filtersOf } from "./asked";
import type { ClickReader } from "./clicks";

const asked = ({ from, to, includeBots, platform, cursor, limit }: ClicksQuery, request: Request) => ({
  ...{ from, to, includeBots, platform, cursor, limit },
  filters: filtersOf(request),
});

export const clickRoutes = (clicks: ClickReader, guard: Guard) =>
  new Elysia({ prefix: "/api/v1/organizations/:orgId/analytics/clicks", tags: ["Analytics"] })
    .use(guard)
    .get("", ({ tenant, query, request }) => clicks.list(tenant.orgId, asked(query, request)), {
      member: "viewer",
      query: ClicksQuery,
      response: { 200: ClickPage, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listClicks",
        summary: "List clicks one by one",
        description:
          "Newest first. Filters may be repeated: any value of one field, and all fields must hold. The clicks that figures count: bots are left out unless " +
          "asked for, confirmed abuse in any case. Addresses are not kept. Raw clicks are there for as long as the plan keeps them.",
      },
    })
    .get("/:clickId", ({ tenant, params }) => clicks.get(tenant.orgId, params.clickId), {
      member: "viewer",
      response: { 200: ClickDetail, ...failures(401, 403, 404, 503) },
      detail: {
        operationId: "getClick",
        summary: "Get a click, and why it led where it led",
        description:
          "`why` asks the rules of the version of the link that served the click once more, by what is kept of the visitor.",
      },
    });
