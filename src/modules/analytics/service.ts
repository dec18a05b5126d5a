/** Figures of an organization's links, read from the rollups; the raw rows are asked about parts of hours alone. */
import type { Sql } from "postgres";
import type { AnalyticsOverview, AnalyticsQuery } from "@/contract/analytics";
import type { OrgId } from "@/core/ids";
import { divideHours, divideRange, parseTimeRange, type TimeRange, withoutDays } from "@/core/time-range";
import { invalid, notFound } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { type OverviewFigures, presentOverview } from "./present";
import { readBreakdowns } from "./queries/breakdowns";
import { isLinkOf } from "./queries/links";
import type { FiguresScope } from "./queries/scope";
import { readSeries } from "./queries/series";
import { readEdgeVisitors, readSketches } from "./queries/visitors";
import { countUniques } from "./uniques";

export interface AnalyticsService {
  /** Throws 400 for a range that makes no sense, 404 for a link that is not the organization's. */
  overview(orgId: OrgId, query: AnalyticsQuery): Promise<AnalyticsOverview>;
}

/** Nothing records these yet: they come with deferred matches, lead forms and custom events. */
const NO_OUTCOMES = { installs: 0, matchedInstalls: 0, leads: 0, events: 0 };

export function createAnalytics({ sql, clock }: { sql: Sql; clock: Clock }): AnalyticsService {
  return {
    async overview(orgId, query) {
      const now = clock();
      const parsed = parseTimeRange(query, now);
      if (!parsed.ok) throw invalid(parsed.faults);
      const { range } = parsed;
      const { linkId, includeBots = false } = query;
      if (linkId !== undefined && !(await isLinkOf(sql, orgId, linkId))) throw notFound("link");
      const figures = await readFigures(sql, orgId, { linkId, includeBots, ...partsOf(range, now) });
      return presentOverview(range, figures);
    },
  };
}

function partsOf(range: TimeRange, now: number) {
  const { granularity } = range;
  const { hours, edges } = divideRange(range, now);
  const whole = divideHours(hours, now);
  return { granularity, whole, buckets: granularity === "day" ? whole : withoutDays(hours), edges };
}

/**
 * One snapshot, so that the figures agree with each other while clicks come in, and one round trip for all the queries.
 * They are planned anew each time: a plan made for any range reads a long one three times slower.
 */
function readFigures(sql: Sql, orgId: OrgId, scope: FiguresScope): Promise<OverviewFigures> {
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const [, series, breakdowns, sketches, edgeVisitors] = await Promise.all([
      snapshot`set local plan_cache_mode = force_custom_plan`.execute(),
      readSeries(snapshot, orgId, scope),
      readBreakdowns(snapshot, orgId, scope),
      readSketches(snapshot, orgId, scope),
      readEdgeVisitors(snapshot, orgId, scope),
    ]);
    return { series, breakdowns, uniques: countUniques(sketches, edgeVisitors), outcomes: NO_OUTCOMES };
  });
}
