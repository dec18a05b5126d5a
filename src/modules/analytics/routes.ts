import { Elysia } from "elysia";
import {
  AnalyticsStream,
  AnalyticsStreamQuery,
  BreakdownAnswer,
  BreakdownQuery,
  FilteredQuery,
  OverviewAnswer,
  OverviewQuery,
  SeriesCsv,
  STREAM_INTERVAL_MS,
} from "@/contract/analytics/analytics";
import { TopLinks, TopLinksQuery } from "@/contract/analytics/top-links";
import { UnservedQuery, UnservedVisits } from "@/contract/analytics/unserved";
import type { Guard } from "@/http/access";
import { csvResponse } from "@/http/csv";
import { failures } from "@/http/document/openapi-responses";
import type { Log } from "@/platform/telemetry/log";
import { filtersOf } from "./asked";
import type { AnalyticsService } from "./service";
import type { OverviewStream } from "./stream";
import type { ReadTopLinks } from "./top-links";
import type { ReadUnservedVisits } from "./unserved";

/** An ended stream whose client takes nothing; the server looks every four seconds. */
const CLOSED_WITHIN_SECONDS = 1;

export interface AnalyticsRouteOptions {
  analytics: AnalyticsService;
  topLinks: ReadTopLinks;
  unserved: ReadUnservedVisits;
  stream: OverviewStream;
  log: Log;
}

export const analyticsRoutes = ({ analytics, topLinks, unserved, stream, log }: AnalyticsRouteOptions, guard: Guard) =>
  new Elysia({
    prefix: "/api/v1/organizations/:orgId/analytics",
    tags: ["Analytics"],
  })
    .use(guard)
    .get("/overview", ({ tenant, query, request }) => analytics.filtered(tenant.orgId, asked(query, request)), {
      member: "viewer",
      query: OverviewQuery,
      response: {
        200: OverviewAnswer,
        ...failures(400, 401, 403, 404, 503),
      },
      detail: {
        operationId: "getAnalyticsOverview",
        summary: "Get the analytics overview",
        description: `Clicks, visitors, opens and installs of a range, and where they came from. ${FILTERS_SAY}`,
      },
    })
    .get(
      "/breakdown",
      ({ tenant, query, request }) =>
        analytics.breakdown(tenant.orgId, { ...asked(query, request), by: query.by, limit: query.limit }),
      {
        member: "viewer",
        query: BreakdownQuery,
        response: { 200: BreakdownAnswer, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "getAnalyticsBreakdown",
          summary: "Get clicks by one of their properties",
          description: `More of one list of the overview. ${FILTERS_SAY}`,
        },
      },
    )
    .get(
      "/overview/stream",
      ({ tenant, user, query, request, server }) =>
        stream.openUnder(filtersOf(request), {
          orgId: tenant.orgId,
          sessionId: user.sessionId,
          intervalMs: query.intervalMs ?? STREAM_INTERVAL_MS.default,
          hurry: () => server?.timeout(request, CLOSED_WITHIN_SECONDS),
        }),
      {
        member: "viewer",
        query: AnalyticsStreamQuery,
        response: { 200: AnalyticsStream, ...failures(400, 401, 403, 404, 429, 503) },
        detail: {
          operationId: "streamAnalyticsOverview",
          summary: "Stream the analytics overview",
          description: STREAM_DESCRIPTION,
        },
      },
    )
    .get("/top-links", ({ tenant, query, request }) => topLinks(tenant.orgId, topLinksAsked(query, request)), {
      member: "viewer",
      query: TopLinksQuery,
      response: { 200: TopLinks, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listTopLinks",
        summary: "List the most clicked links",
        description: `Bots are left out. Deleted links keep their place, marked by \`isDeleted\`. ${FILTERS_SAY}`,
      },
    })
    .get("/unserved", ({ tenant, query }) => unserved(tenant.orgId, query), {
      member: "viewer",
      query: UnservedQuery,
      response: { 200: UnservedVisits, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listUnservedVisits",
        summary: "List visits that were turned away",
        description: UNSERVED_DESCRIPTION,
      },
    })
    .get(
      "/export.csv",
      async ({ tenant, query, request }) =>
        csvResponse({
          ...(await analytics.exportSeries(tenant.orgId, asked(query, request))),
          failed: (error) => log.error("an export broke off", { error, orgId: tenant.orgId }),
        }),
      {
        member: "viewer",
        query: FilteredQuery,
        response: { 200: SeriesCsv, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "exportAnalytics",
          summary: "Export the analytics as CSV",
          description: `A row for each hour for up to three days, else for each UTC day, empty ones included. ${FILTERS_SAY}
Under filters, cells of metrics that clicks do not tell are empty.`,
        },
      },
    );

const UNSERVED_DESCRIPTION = `Visits to short URLs, and resolves by apps, that were answered 403, 404, 410 or 429: by link, or by
path where there is no link. A password form that is shown counts as \`password_required\`. Of each hour and domain the most
frequent 200 links and 100 paths are told apart, the others counted by their reason. A visit appears within seconds; bots are
left out unless asked for.`;

/** The range, and the filters as the address has them. */
const asked = <Query extends Pick<FilteredQuery, "from" | "to" | "includeBots"> & { compare?: "previous" }>(
  { from, to, includeBots, compare }: Query,
  request: Request,
) => ({
  from,
  to,
  includeBots,
  compare,
  filters: filtersOf(request),
});

const topLinksAsked = ({ from, to, limit }: TopLinksQuery, request: Request) => ({
  ...{ from, to, limit },
  filters: filtersOf(request),
});

const FILTERS_SAY = `Filters may be repeated: any value of one field, and all fields must hold. They look at each click: at
most three million, none of which may be past what the plan keeps. Beyond that, a single filter still tells clicks by bucket.`;

const STREAM_DESCRIPTION = `Server-sent events. \`event: snapshot\` has an AnalyticsOverview as \`data\`: one at once, then one
each interval, the first of which may be shorter or longer by half. Comments in between keep the connection alive, and a client
that reads too slowly misses snapshots. \`event: end\` is the last: \`{"reason": "access"}\` when the session or the
membership has ended, \`{"reason": "shutdown"}\` when the server stops; then connect again. \`{"reason": "filters"}\` says
that the filters cannot be answered any more, and the overview under them says why. A workspace may have streams under ten
different filters at once, whose snapshots may come later than each interval. Credentials are taken from the
header alone, so use a client that can send it.`;
