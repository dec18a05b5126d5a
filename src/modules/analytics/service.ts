/**
 * Reads the figures of an organization's links. Whole hours and days come from rollups; raw rows are read only for
 * the partial hours at the ends of a range.
 */
import type { Sql } from "postgres";
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { Filters } from "@/contract/analytics/analytics-filters";
import { BREAKDOWN_LIMIT, type BreakdownAnswer } from "@/contract/analytics/breakdown";
import { BREAKDOWNS, type BreakdownBy } from "@/contract/analytics/dimensions";
import type { AnalyticsOverview, OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import type { Span, TimeRange } from "@/core/time/time-range";
import { type BotClicksQuery, readBotClicks } from "@/figures/read/bot-clicks";
import { readBreakdowns, VALUES_MAX } from "@/figures/read/breakdowns";
import { readEvents } from "@/figures/read/events";
import type { FigureCaches } from "@/figures/read/figure-caches";
import { singleLinkOrNone } from "@/figures/read/filters";
import { readHoursOfWeek } from "@/figures/read/hours-of-week";
import type { DailyInstallsQuery } from "@/figures/read/installs";
import { type DailyClicks, readDailyClicks } from "@/figures/read/links/daily-clicks";
import type { TopLinkRow } from "@/figures/read/links/top-links";
import type { MatchingQuery } from "@/figures/read/matching";
import { countMatchingTags } from "@/figures/read/matching-columns";
import { type FiguresScope, partsOf, type Reader } from "@/figures/read/scope";
import { clicksOf, seriesOf } from "@/figures/read/series";
import type { Bounds, FigureSources } from "@/figures/read/sources";
import { readTags, readTagsOfLink } from "@/figures/read/tags";
import { countUniques } from "@/figures/read/uniques";
import { type DailyCounts, readValueSeries, type ValueSeriesQuery } from "@/figures/read/value-series";
import { HttpError, invalid } from "@/http/errors";
import type { Clock } from "@/platform/clock";
import { readBreakdown } from "./breakdown";
import { checkFilters } from "./check-filters";
import { type ExportOptions, exportSeries, type SeriesExport } from "./export";
import { checkLink, type FiguresQuery, parseRange, validateQuery } from "./figures-query";
import { filteredOverview, rangeBefore } from "./filtered";
import { importedClicksReader } from "./imported-clicks";
import { type OverviewFigures, presentOverview, presentRange } from "./present";
import { type RankedQuery, rankLinks } from "./ranking";
import { readLastSplitLabels } from "./split-labels";

export interface AnalyticsService {
  /** Throws 400 for an invalid range, 404 for a link that is not the organization's. */
  overview(orgId: OrgId, query: AnalyticsQuery): Promise<AnalyticsOverview>;
  /**
   * Returns the overview under filters, with only the figures that can be computed under them. Also throws 400 if
   * there are too many clicks to examine.
   */
  filtered(orgId: OrgId, query: FiguresQuery & OverviewOptions): Promise<OverviewAnswer>;
  /** Returns one list of the overview in full. Throws as `filtered` does. */
  breakdown(orgId: OrgId, query: FiguresQuery & { by: BreakdownBy; limit?: number }): Promise<BreakdownAnswer>;
  /** Exports figures by bucket, reading each chunk as the client consumes it. Throws as `filtered` does. */
  exportSeries(orgId: OrgId, query: FiguresQuery, options?: ExportOptions): Promise<SeriesExport>;
  /** Throws 404 for a link or domain that is not the organization's, 400 for a value that its field cannot have. */
  checkFilters(orgId: OrgId, filters: Filters): Promise<void>;
  /** Lists the links with the most human clicks in the range, as `ranking.ts` says. Throws 400 as `overview` does. */
  rankLinks(orgId: OrgId, query: RankedQuery, limit: number): Promise<TopLinkRow[]>;
  /** Returns the human clicks of these links by day; days without clicks may be absent. */
  dailyClicks(orgId: OrgId, linkIds: readonly string[], days: Span): Promise<DailyClicks>;
  /** Returns the installs of these links by day; links and days without installs may be absent. */
  dailyInstalls(orgId: OrgId, query: DailyInstallsQuery): Promise<DailyClicks>;
  /** Returns the clicks of bots in the range. `now` is in Unix milliseconds. */
  botClicks(orgId: OrgId, query: BotClicksQuery, now: number): Promise<number>;
  /** Returns the daily clicks of single values, such as one country, in the order of the query. */
  valueSeries(orgId: OrgId, query: ValueSeriesQuery): Promise<DailyCounts[]>;
}

export type { ClickSample, ReadClickSample } from "./sample/click-sample";
export type { FiguresQuery, SeriesExport };

interface OverviewOptions {
  compare?: "previous";
  /** Defaults to true. */
  includeImported?: boolean;
}

/** Maximum number of per-link figures that an overview sums by tag. */
const SUMMED_ROWS_MAX = 20_000;

export interface AnalyticsOptions extends Bounds {
  sql: Sql;
  clock: Clock;
  /** Shared with all other readers of figures. */
  kept: FigureCaches;
}

export function createAnalytics({ sql, clock, kept, ...bounds }: AnalyticsOptions): AnalyticsService {
  const { leaders } = kept;
  const sources: FigureSources = { sql, ...kept, ...bounds };
  const readImportedClicks = importedClicksReader({ sql, clock });
  return {
    async overview(orgId, query) {
      const now = clock();
      const range = parseRange(query, now);
      const { linkId, includeBots = false } = query;
      await checkLink(sql, orgId, linkId);
      return presentOverview(range, await readFigures(sources, { orgId, range, includeBots, linkId }, now));
    },
    exportSeries: (orgId, query, options = {}) => exportSeries(sources, orgId, query, clock(), options),
    async filtered(orgId, query) {
      const now = clock();
      const { range, filters, includeBots } = await validateQuery(sql, orgId, query, now);
      const answer = (span: TimeRange) => answered({ orgId, range: span, includeBots, filters }, now);
      const [current, imported, previous] = await Promise.all([
        answer(range),
        readImportedClicks(orgId, query.includeImported === false ? null : filters, range),
        query.compare && answer(rangeBefore(range, now)).catch(inPrevious),
      ]);
      return { ...current, ...imported, ...(previous && { previous }) };
    },
    async breakdown(orgId, { by, limit = BREAKDOWN_LIMIT.default, ...query }) {
      const now = clock();
      const { range, filters, includeBots } = await validateQuery(sql, orgId, query, now);
      const found = await readBreakdown(sources, { orgId, range, includeBots, filters }, { by, limit }, now);
      if (by !== "split") return { range: presentRange(range), by, ...found };
      const labelled = await readLastSplitLabels(sql, orgId, filters);
      const rows = found.rows.map((row) => labelled(row, row.value));
      return { range: presentRange(range), by, ...found, rows };
    },
    checkFilters: (orgId, filters) => checkFilters(sql, orgId, filters),
    rankLinks: (orgId, query, limit) => rankLinks({ sql, leaders }, orgId, query, limit, clock()),
    dailyClicks: (orgId, linkIds, days) => readDailyClicks(sql, { leaders }, orgId, linkIds, days),
    dailyInstalls: (orgId, query) => sources.installs.readDaily(sql, orgId, query),
    botClicks: (orgId, query, now) => readBotClicks(sources, orgId, query, now),
    valueSeries: (orgId, query) => readValueSeries(sources, orgId, query),
  };

  async function answered(matching: MatchingQuery, now: number): Promise<OverviewAnswer> {
    const answer = await counted(matching, now);
    if (!answer.bySplit?.some(({ split }) => split !== BREAKDOWNS.split.blank)) return answer;
    const labelled = await readLastSplitLabels(sql, matching.orgId, matching.filters);
    return { ...answer, bySplit: answer.bySplit.map((row) => labelled(row, row.split)) };
  }

  async function counted(matching: MatchingQuery, now: number): Promise<OverviewAnswer> {
    const { orgId, range, includeBots } = matching;
    const of = singleLinkOrNone(matching.filters);
    if (!of) return filteredOverview(sources, matching, now);
    return presentOverview(range, await readFigures(sources, { orgId, range, includeBots, ...of }, now));
  }
}

/** Turns a 400 for the previous range into faults of `compare`; rethrows any other error. */
function inPrevious(error: unknown): never {
  if (!(error instanceof HttpError && error.status === 400)) throw error;
  throw invalid((error.details ?? []).map((detail) => `compare: cannot count the previous range: ${detail}`));
}

/**
 * Reads in one snapshot, so that the figures agree while clicks arrive, and sends all queries in one round trip.
 * Forces a custom plan for each query: a generic plan takes three times as long for a long range.
 */
function readFigures(
  sources: FigureSources,
  { linkId, ...asked }: Omit<MatchingQuery, "filters"> & { linkId?: string },
  now: number,
): Promise<OverviewFigures> {
  const { orgId, range, includeBots } = asked;
  const scope: FiguresScope = { linkId, includeBots, ...partsOf(range, now) };
  const { whole, buckets, granularity } = scope;
  const { sql, packed, summedRowsMax = SUMMED_ROWS_MAX } = sources;
  return sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const planning = snapshot`set local plan_cache_mode = force_custom_plan`.execute();
    const wholeRows = packed.read(snapshot, orgId, scope, whole);
    const bucketRows = buckets === whole ? wholeRows : packed.read(snapshot, orgId, scope, buckets);
    const partialHours = sources.partialHours.read(snapshot, orgId, scope);
    const readingSeries = Promise.all([bucketRows, partialHours]).then(([rows, inPartialHours]) =>
      seriesOf(rows, inPartialHours, granularity),
    );
    const inColumns = async () =>
      granularity === "hour" ? tagsInColumns(sources, snapshot, { ...asked, filters: {} }, now) : undefined;
    const readingTags =
      linkId === undefined
        ? readTags(snapshot, orgId, scope, { limit: VALUES_MAX, rowsMax: summedRowsMax, inColumns })
        : readTagsOfLink(snapshot, orgId, linkId, readingSeries.then(clicksOf), VALUES_MAX);
    const [series, breakdowns, tags, hoursOfWeek, rows, { visitors }, events, installs] = await Promise.all([
      readingSeries,
      readBreakdowns(snapshot, sources.texts, { rows: wholeRows, partialHours }),
      readingTags,
      readHoursOfWeek(snapshot, orgId, scope, wholeRows, partialHours),
      bucketRows,
      partialHours,
      readEvents(snapshot, orgId, scope),
      sources.installs.read(snapshot, bucketRows, partialHours, granularity),
      planning,
    ]);
    const uniques = countUniques(rows, visitors, granularity);
    return { series, breakdowns, tags, hoursOfWeek, uniques, events, installs };
  });
}

/**
 * Counts tags from the clicks held in columns. With hourly buckets there are as many per-link figures as clicks, and
 * clicks in columns are faster to scan. Returns undefined if the range has no columns.
 */
async function tagsInColumns({ columns, rawMax }: FigureSources, sql: Reader, matching: MatchingQuery, now: number) {
  const opened = await columns.open(sql, matching.orgId, matching.range, { now, rawMax });
  return opened && (await countMatchingTags(sql, opened, matching, VALUES_MAX));
}
