import { Elysia } from "elysia";
import { ClickDetail, ClickPage, ClicksCsv, ClicksExportQuery, ClicksQuery } from "@/contract/analytics/clicks";
import type { Guard } from "@/http/access";
import { csvResponse, logAborted } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import type { Log } from "@/platform/telemetry/log";
import type { ClickReader } from "./clicks";
import { filtersOf } from "./figures-query";

const wanted = ({ from, to, includeBots, platform }: ClicksExportQuery, request: Request) => ({
  ...{ from, to, includeBots, platform },
  filters: filtersOf(request),
});
const asked = (query: ClicksQuery, request: Request) => ({
  ...wanted(query, request),
  ...{ cursor: query.cursor, limit: query.limit },
});

export const clickRoutes = (clicks: ClickReader, log: Log, guard: Guard) =>
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
    .get(
      "/export.csv",
      async ({ tenant, query, request }) =>
        csvResponse({
          ...(await clicks.export(tenant.orgId, wanted(query, request))),
          failed: logAborted(log, "click export", tenant.orgId),
        }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        query: ClicksExportQuery,
        response: { 200: ClicksCsv, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "exportClicks",
          summary: "Export clicks one by one as CSV",
          description:
            "Newest first: the clicks that the list has with the same filters, all of them. Addresses are not stored. Text " +
            "that a spreadsheet could read as a formula is prefixed with an apostrophe.",
        },
      },
    )
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
