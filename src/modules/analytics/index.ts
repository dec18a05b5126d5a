import { Elysia } from "elysia";
import type { Sql } from "postgres";
import type { FigureCaches } from "@/figures/read/figure-caches";
import type { Guard } from "@/http/access";
import type { Clock } from "@/platform/clock";
import type { Log } from "@/platform/telemetry/log";
import { clickRoutes } from "./click-routes";
import { createClickReader } from "./clicks";
import { createLinkTrends } from "./link-trends";
import { analyticsRoutes } from "./routes";
import { createClickSample } from "./sample/click-sample";
import { createAnalytics } from "./service";
import { OverviewStream, type OverviewStreamOptions } from "./stream";
import { createTopLinks, type DescribeLinks } from "./top-links";
import { createUnservedVisits } from "./unserved";

export interface FigureParts {
  sql: Sql;
  clock: Clock;
  /** Shared with all other readers of figures. */
  kept: FigureCaches;
  describeLinks: DescribeLinks;
}

/** Creates every reader of figures and clicks on one Postgres connection pool. */
export const createFigureReaders = ({ sql, clock, kept, describeLinks }: FigureParts) => ({
  analytics: createAnalytics({ sql, clock, kept }),
  clicks: createClickReader({ sql, clock }),
  topLinks: createTopLinks({ sql, clock, ...kept, describeLinks }),
  trends: createLinkTrends({ sql, clock }),
  unserved: createUnservedVisits({ sql, clock }),
  readClickSample: createClickSample({ sql, clock }),
});

export interface AnalyticsParts extends Omit<ReturnType<typeof createFigureReaders>, "readClickSample"> {
  principals: Pick<OverviewStreamOptions, "membersAmong">;
  clock: Clock;
  log: Log;
  ending: AbortSignal;
}

export function analyticsModule(parts: AnalyticsParts, guard: Guard) {
  const { analytics, clicks, principals, clock, log, ending } = parts;
  const stream = new OverviewStream({
    ...{ clock, log, ending },
    overview: (orgId, filters) => analytics.filtered(orgId, { filters }),
    membersAmong: principals.membersAmong,
  });
  return new Elysia().use(analyticsRoutes({ ...parts, stream }, guard)).use(clickRoutes(clicks, log, guard));
}
