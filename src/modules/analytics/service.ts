/** Figures of an organization's links, read from the rollups; the raw rows are asked about parts of hours alone. */
import type { Sql } from "postgres";
import type { AnalyticsOverview, AnalyticsQuery } from "@/contract/analytics";
import type { OrgId } from "@/core/ids";
import type { Clock } from "@/platform/clock";
import { askedRange, checkLink, partsOf } from "./asked";
import { type ExportOptions, exportSeries, type FigureSources, type SeriesExport } from "./export";
import { type OverviewFigures, presentOverview } from "./present";
import { readBreakdowns } from "./queries/breakdowns";
import { Edges } from "./queries/edges";
import { readEvents } from "./queries/events";
import { Installs } from "./queries/installs";
import { PackedFigures } from "./queries/packed";
import type { FiguresScope } from "./queries/scope";
import { readSeries } from "./queries/series";
import type { TopLinkRow } from "./queries/top-links";
import { rankLinks } from "./ranking";
import { countUniques } from "./uniques";
import { type DailyCounts, readValueSeries, type ValueSeriesQuery } from "./value-series";

export interface AnalyticsService {
  /** Throws 400 for a range that makes no sense, 404 for a link that is not the organization's. */
  overview(orgId: OrgId, query: AnalyticsQuery): Promise<AnalyticsOverview>;
  /** Figures by bucket, read while they are taken. Throws as `overview`. */
  exportSeries(orgId: OrgId, query: AnalyticsQuery, options?: ExportOptions): Promise<SeriesExport>;
  /** Throws 404 for a link that is not the organization's. */
  checkLink(orgId: OrgId, linkId: string | undefined): Promise<void>;
  /** The most clicked links of the range, by people's clicks. Throws 400 as `overview`. */
  rankLinks(orgId: OrgId, query: Pick<AnalyticsQuery, "from" | "to">, limit: number): Promise<TopLinkRow[]>;
  /** Clicks by day of single values, as of a country, each in its place. */
  valueSeries(orgId: OrgId, query: ValueSeriesQuery): Promise<DailyCounts[]>;
}

export type { SeriesExport };

export interface AnalyticsOptions {
  sql: Sql;
  clock: Clock;
  /** Shared with whoever else reads figures. */
  packed?: PackedFigures;
}

export function createAnalytics({ sql, clock, packed = new PackedFigures() }: AnalyticsOptions): AnalyticsService {
  const sources: FigureSources = { sql, packed, edges: new Edges(), installs: new Installs() };
  return {
    async overview(orgId, query) {
      const now = clock();
      const range = askedRange(query, now);
      const { linkId, includeBots = false } = query;
      await checkLink(sql, orgId, linkId);
      const figures = await readFigures(sources, orgId, { linkId, includeBots, ...partsOf(range, now) });
      return presentOverview(range, figures);
    },
    exportSeries: (orgId, query, options = {}) => exportSeries(sources, orgId, query, clock(), options),
    checkLink: (orgId, linkId) => checkLink(sql, orgId, linkId),
    rankLinks: (orgId, query, limit) => rankLinks(sql, orgId, query, limit, clock()),
    valueSeries: (orgId, query) => readValueSeries(sources, orgId, query),
  };
}

/**
 * One snapshot, so that the figures agree with each other while clicks come in, and one round trip for all the queries.
 * They are planned anew each time: a plan made for any range reads a long one three times slower.
 */
function readFigures(sources: FigureSources, orgId: OrgId, scope: FiguresScope): Promise<OverviewFigures> {
  const { whole, buckets, granularity } = scope;
  const { sql, packed } = sources;
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const planning = snapshot`set local plan_cache_mode = force_custom_plan`.execute();
    const wholeRows = packed.read(snapshot, orgId, scope, whole);
    const bucketRows = buckets === whole ? wholeRows : packed.read(snapshot, orgId, scope, buckets);
    const edges = sources.edges.read(snapshot, orgId, scope);
    const [series, breakdowns, rows, { visitors }, events, installs] = await Promise.all([
      readSeries(snapshot, orgId, scope, edges),
      readBreakdowns(snapshot, wholeRows, edges),
      bucketRows,
      edges,
      readEvents(snapshot, orgId, scope),
      sources.installs.read(snapshot, bucketRows, edges, granularity),
      planning,
    ]);
    const uniques = countUniques(rows, visitors, granularity);
    return { series, breakdowns, uniques, events, installs };
  });
}
