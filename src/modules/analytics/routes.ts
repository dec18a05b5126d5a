import { Elysia } from "elysia";
import { FilteredQuery } from "@/contract/analytics/analytics";
import { BreakdownAnswer, BreakdownQuery } from "@/contract/analytics/breakdown";
import { LinkTrends, LinkTrendsQuery } from "@/contract/analytics/link-trends";
import { OverviewAnswer, OverviewQuery } from "@/contract/analytics/overview";
import { AnalyticsStream, AnalyticsStreamQuery, SeriesCsv, STREAM_INTERVAL_MS } from "@/contract/analytics/series";
import { TopLinks, TopLinksQuery } from "@/contract/analytics/top-links";
import { UnservedQuery, UnservedVisits } from "@/contract/analytics/unserved";
import { credentialOf, type Guard } from "@/http/access";
import { csvResponse, logAborted } from "@/http/csv";
import { originalRequest } from "@/http/dashboard/stand-in";
import { failures } from "@/http/document/openapi-responses";
import { refuseOtherFilters } from "@/http/repeated";
import type { Log } from "@/platform/telemetry/log";
import { filtersOf } from "./figures-query";
import { type ReadLinkTrends, trendLinksOf } from "./link-trends";
import type { AnalyticsService } from "./service";
import type { OverviewStream } from "./stream";
import type { ReadTopLinks } from "./top-links";
import type { ReadUnservedVisits } from "./unserved";

/** Timeout for an ended stream whose client reads nothing. The server checks timeouts every four seconds. */
const CLOSED_WITHIN_SECONDS = 1;

export interface AnalyticsRouteOptions {
  analytics: AnalyticsService;
  topLinks: ReadTopLinks;
  trends: ReadLinkTrends;
  unserved: ReadUnservedVisits;
  stream: OverviewStream;
  log: Log;
}

export const analyticsRoutes = (
  { analytics, topLinks, trends, unserved, stream, log }: AnalyticsRouteOptions,
  guard: Guard,
) =>
  new Elysia({
    prefix: "/api/v1/organizations/:orgId/analytics",
    tags: ["Analytics"],
  })
    .use(guard)
    .get("/overview", ({ tenant, query, request }) => analytics.filtered(tenant.orgId, asked(query, request)), {
      member: { role: "viewer", scopes: ["analytics"] },
      query: OverviewQuery,
      response: {
        200: OverviewAnswer,
        ...failures(400, 401, 403, 404, 503),
      },
      detail: {
        operationId: "getAnalyticsOverview",
        summary: "Get the analytics overview",
        description: `Returns clicks, visitors, opens and installs of a range, and where they came from. ${FILTERS_SAY}`,
      },
    })
    .get(
      "/breakdown",
      ({ tenant, query, request }) =>
        analytics.breakdown(tenant.orgId, { ...asked(query, request), by: query.by, limit: query.limit }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        query: BreakdownQuery,
        response: { 200: BreakdownAnswer, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "getAnalyticsBreakdown",
          summary: "Get a breakdown of clicks by one property",
          description: `Returns more rows of one list of the overview. ${FILTERS_SAY}`,
        },
      },
    )
    .get(
      "/overview/stream",
      ({ tenant, user, query, request, server }) =>
        stream.openUnder(filtersOf(request), {
          orgId: tenant.orgId,
          credentialId: credentialOf(user),
          intervalMs: query.intervalMs ?? STREAM_INTERVAL_MS.default,
          hurry: () => server?.timeout(originalRequest(request), CLOSED_WITHIN_SECONDS),
        }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
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
      member: { role: "viewer", scopes: ["analytics"] },
      query: TopLinksQuery,
      response: { 200: TopLinks, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listTopLinks",
        summary: "List top links by clicks",
        description: `Excludes bots. Deleted links keep their place and are marked with \`isDeleted\`. ${FILTERS_SAY}`,
      },
    })
    .get(
      "/trends",
      ({ tenant, query: { days }, request }) => trends(tenant.orgId, trendLinksOf(request), days && Number(days)),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        query: LinkTrendsQuery,
        response: { 200: LinkTrends, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "listLinkTrends",
          summary: "List clicks of links by day",
          description:
            "Returns the clicks of up to 100 links on each of the last days, for a list of links. Excludes bots.",
        },
      },
    )
    .get("/unserved", ({ tenant, query, request }) => unserved(tenant.orgId, unservedAsked(query, request)), {
      member: { role: "viewer", scopes: ["analytics"] },
      query: UnservedQuery,
      response: { 200: UnservedVisits, ...failures(400, 401, 403, 404, 503) },
      detail: {
        operationId: "listUnservedVisits",
        summary: "List unserved visits",
        description: UNSERVED_DESCRIPTION,
      },
    })
    .get(
      "/export.csv",
      async ({ tenant, query, request }) =>
        csvResponse({
          ...(await analytics.exportSeries(tenant.orgId, asked(query, request))),
          failed: logAborted(log, "analytics export", tenant.orgId),
        }),
      {
        member: { role: "viewer", scopes: ["analytics"] },
        query: FilteredQuery,
        response: { 200: SeriesCsv, ...failures(400, 401, 403, 404, 503) },
        detail: {
          operationId: "exportAnalytics",
          summary: "Export analytics as CSV",
          description: `One row per hour for ranges of up to three days, otherwise one per UTC day, including empty ones. ${FILTERS_SAY} With
filters, cells of metrics that clicks cannot provide are empty.`,
        },
      },
    );

const UNSERVED_DESCRIPTION = `Lists visits to short URLs, and resolves by apps, that were answered with 403, 404, 410 or 429, by link, or by path
where there is no link. Showing a password form counts as \`password_required\`. For each hour and domain, the 200 most
frequent links and 100 most frequent paths are listed separately; the rest are counted by reason. Visits are counted
per hour, so an hour that the range touches counts in full. They appear within seconds. Bots are excluded unless you ask
for them.`;

/** Returns the query with the filters read from the URL. */
const asked = <Query extends Pick<OverviewQuery, "from" | "to" | "includeBots" | "compare" | "includeImported">>(
  { from, to, includeBots, compare, includeImported }: Query,
  request: Request,
) => ({
  from,
  to,
  includeBots,
  compare,
  includeImported,
  filters: filtersOf(request),
});

const topLinksAsked = ({ from, to, limit }: TopLinksQuery, request: Request) => ({
  ...{ from, to, limit },
  filters: filtersOf(request),
});

/** Visits that were turned away have no other properties. */
function unservedAsked(query: UnservedQuery, request: Request): UnservedQuery {
  refuseOtherFilters(request, ["linkId", "domainId"]);
  return query;
}

const FILTERS_SAY = `You can repeat filters: values of the same field are alternatives, and all fields must match. Filters search
individual clicks: at most three million, and only as far back as your plan keeps them. Beyond that, a single filter
still returns clicks per bucket.`;

const STREAM_DESCRIPTION = `Server-sent events. \`event: snapshot\` carries an AnalyticsOverview as \`data\`: one immediately, then one per interval;
the first interval may be up to 50% shorter or longer. Comments in between keep the connection alive. A client that
reads too slowly misses snapshots. \`event: end\` is the last event: \`{"reason": "access"}\` when the session,
the access token or the membership has ended, \`{"reason": "shutdown"}\` when the server stops (connect again), and \`{"reason": "filters"}\` when
the filters can no longer be answered (the overview with the same filters explains why). An organization can have
streams with up to ten different filters at once; their snapshots may come less often than the interval. Send
credentials in the header, so use a client that supports this.`;
