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
      member: { role: "viewer", scopes: ["analytics"] },
      query: ClicksQuery,
      response: { 200: ClickPage, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listClicks",
        summary: "List clicks one by one",
        description:
          "Newest first. You can repeat filters: values of the same field are alternatives, and all fields must match. The " +
          "list holds the clicks that count in figures: no bots unless you ask for them, and never confirmed abuse. " +
          "Addresses are not stored. Raw clicks are kept as long as your plan allows.",
      },
    })
    .get("/:clickId", ({ tenant, params }) => clicks.get(tenant.orgId, params.clickId), {
      member: { role: "viewer", scopes: ["analytics"] },
      response: { 200: ClickDetail, ...failures(401, 403, 404, 503) },
      detail: {
        operationId: "getClick",
        summary: "Get a click and explain its routing",
        description:
          "`why` evaluates the rules of the link version that served the click again, using what is stored about the " +
          "visitor.",
      },
    });
