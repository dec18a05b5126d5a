import { Elysia } from "elysia";
import type { Sql } from "postgres";
import { LoadedDays } from "@/figures/columns/loaded-days";
import { LinkLeaders } from "@/figures/read/links/leaders";
import { LinkVisitors } from "@/figures/read/links/link-visitors";
import type { Guard } from "@/http/access";
import type { Clock } from "@/platform/clock";
import type { Copies } from "@/platform/db/copies";
import type { Log } from "@/platform/telemetry/log";
import { clickRoutes } from "./click-routes";
import { createClickReader } from "./clicks";
import { createLinkTrends } from "./link-trends";
import { analyticsRoutes } from "./routes";
import { createClickSample } from "./sample/click-sample";
import { type AnalyticsService, createAnalytics } from "./service";
import { OverviewStream, type OverviewStreamOptions } from "./stream";
import { createTopLinks, type DescribeLinks, type ReadTopLinks } from "./top-links";
import { createUnservedVisits, type ReadUnservedVisits } from "./unserved";

export interface FigureParts {
  sql: Sql;
  clock: Clock;
  copies: Copies;
  describeLinks: DescribeLinks;
}

/** Who reads figures shares what is kept of them. */
export function createFigureReaders({ sql, clock, copies, describeLinks }: FigureParts) {
  const leaders = new LinkLeaders(copies);
  const columns = new LoadedDays(copies);
  return {
    analytics: createAnalytics({ sql, clock, leaders, columns, copies }),
    topLinks: createTopLinks({ sql, visitors: new LinkVisitors(copies), leaders, columns, clock, describeLinks }),
    unserved: createUnservedVisits({ sql, clock }),
    readClickSample: createClickSample({ sql, clock }),
  };
}

export interface AnalyticsParts {
  analytics: AnalyticsService;
  topLinks: ReadTopLinks;
  unserved: ReadUnservedVisits;
  principals: Pick<OverviewStreamOptions, "membersAmong">;
  sql: Sql;
  clock: Clock;
  log: Log;
  ending: AbortSignal;
}

export function analyticsModule(parts: AnalyticsParts, guard: Guard) {
  const { analytics, topLinks, unserved, principals, sql, clock, log, ending } = parts;
  const stream = new OverviewStream({
    ...{ clock, log, ending },
    overview: (orgId, filters) => analytics.filtered(orgId, { filters }),
    membersAmong: principals.membersAmong,
  });
  const trends = createLinkTrends({ sql, clock });
  return new Elysia()
    .use(analyticsRoutes({ analytics, topLinks, trends, unserved, stream, log }, guard))
    .use(clickRoutes(createClickReader({ sql, clock }), log, guard));
}
