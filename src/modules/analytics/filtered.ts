/**
 * Overviews under filters. Clicks tell what filters ask about; opens, installs, leads and events do not, and are left out.
 * A single value's clicks are known to rollups as well: they answer where there are too many clicks to look at one by one,
 * without visitors and breakdowns.
 */
import type { Sql } from "postgres";
import type { OverviewAnswer } from "@/contract/analytics";
import type { Filters, ValueFilter } from "@/contract/analytics-filters";
import { VALUE_FILTERS } from "@/contract/analytics-filters";
import { bucketMs, bucketStarts, type TimeRange } from "@/core/time-range";
import { HttpError } from "@/http/errors";
import { figureDimensionCode, figureKey } from "@/platform/db/figure-keys";
import { KnownValues } from "@/platform/db/figure-values";
import { partsOf } from "./asked";
import type { FigureSources } from "./export";
import { presentLists, presentRange } from "./present";
import { VALUES_MAX } from "./queries/breakdowns";
import { fieldsOf, storedOf } from "./queries/filters";
import { ALL_DIMENSIONS, checkBound, type Matching, type MatchingFigures, readMatching } from "./queries/matching";

const NOT_OF_CLICKS = [
  "opens",
  "installs",
  "matchedInstalls",
  "byOpenSource",
  "byOpenPlatform",
  "conversionFunnel",
  "eventValue",
  "byEvent",
] as const;
const NOT_OF_ROLLUPS = ["uniqueVisitors", "breakdowns", ...NOT_OF_CLICKS] as const;

/** Throws 400 where rollups do not know and there is too much to look at. */
export async function filteredOverview(
  sources: FigureSources,
  matching: Matching,
  now: number,
): Promise<OverviewAnswer> {
  const { range } = matching;
  const figures = await matchingFigures(sources.sql, matching).catch(async (error: unknown) => {
    const field = soleField(matching.filters);
    if (!field || !(error instanceof HttpError && error.status === 400)) throw error;
    return valueFigures(sources, matching, field, now);
  });
  const isExact = "breakdowns" in figures;
  return {
    range: presentRange(range),
    totalClicks: figures.clicks,
    ...(isExact && { uniqueVisitors: figures.uniqueVisitors, ...presentLists(figures.breakdowns) }),
    timeseries: bucketStarts(range).map((at) => ({
      at: new Date(at).toISOString(),
      ...(figures.buckets.get(at) ?? { clicks: 0, ...(isExact && { uniqueVisitors: 0 }) }),
    })),
    notKnown: [...(isExact ? NOT_OF_CLICKS : NOT_OF_ROLLUPS)],
  };
}

export const matchingFigures = (
  sql: Sql,
  matching: Matching,
  by = ALL_DIMENSIONS,
  max = VALUES_MAX,
): Promise<MatchingFigures> =>
  sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await checkBound(snapshot, matching);
    return readMatching(snapshot, matching, by, max);
  });

/** A filter that rollups know, where it stands alone. */
function soleField(filters: Filters): ValueFilter | undefined {
  const [field, ...others] = fieldsOf(filters);
  return others.length > 0 ? undefined : VALUE_FILTERS.find((name) => name === field);
}

/** Clicks of these values alone, by bucket. */
async function valueFigures(sources: FigureSources, matching: Matching, field: ValueFilter, now: number) {
  const { orgId, range, includeBots, filters } = matching;
  const code = figureDimensionCode(field);
  const wanted = storedOf(field, filters[field]).map((value) => ({ code, value }));
  const scope = { includeBots, ...partsOf(range, now) };
  return sources.sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const idOf = await new KnownValues().lookUp((text, parameters) => snapshot.unsafe(text, parameters), wanted);
    const keys = wanted.flatMap(({ value }) => {
      const id = idOf(code, value);
      return id === undefined ? [] : [figureKey(id, code)];
    });
    const rows = await sources.packed.read(snapshot, orgId, scope, scope.buckets);
    const buckets = new Map<number, { clicks: number }>();
    const add = (at: number, clicks: number) => {
      const start = at - (at % bucketMs(range.granularity));
      if (clicks !== 0) buckets.set(start, { clicks: (buckets.get(start)?.clicks ?? 0) + clicks });
    };
    for (const row of rows) for (const key of keys) add(row.start, row.countOf(key));
    for (const edge of scope.edges) {
      const { counts } = await sources.edges.read(snapshot, orgId, { ...scope, edges: [edge] });
      for (const key of keys) add(edge.from, counts.of(key));
    }
    return { clicks: [...buckets.values()].reduce((sum, { clicks }) => sum + clicks, 0), buckets };
  });
}

export const rangeBefore = ({ from, to, granularity }: TimeRange): TimeRange => ({
  from: from - (to - from),
  to: from,
  granularity,
});
