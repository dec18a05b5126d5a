/**
 * Computes overviews under filters. Filters match properties of clicks; opens, installs, leads and events lack those
 * properties and are left out. Rollups also count the clicks that match a single filter: they are used if the clicks
 * cannot be examined one by one, and provide neither visitors nor breakdowns.
 */
import { BREAKDOWN_BY } from "@/contract/analytics/dimensions";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import { bucketStarts, type TimeRange } from "@/core/time/time-range";
import { boundFault } from "@/figures/read/bound";
import { VALUES_MAX } from "@/figures/read/breakdowns";
import { type CountedBy, type MatchingFigures, type MatchingQuery, readMatching } from "@/figures/read/matching";
import { countMatching } from "@/figures/read/matching-columns";
import { type SoleFigures, singleFilterFigures, soleField } from "@/figures/read/sole-filter";
import type { FigureSources } from "@/figures/read/sources";
import { invalid } from "@/http/errors";
import { presentLists, presentRange } from "./present";

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

/** Throws 400 if neither the clicks nor the rollups can provide the figures. */
export async function filteredOverview(
  sources: FigureSources,
  matching: MatchingQuery,
  now: number,
): Promise<OverviewAnswer> {
  const { range } = matching;
  const figures = await readFilteredFigures(sources, matching, now);
  const isExact = "breakdowns" in figures;
  return {
    range: presentRange(range),
    totalClicks: figures.clicks,
    ...(isExact && { uniqueVisitors: figures.uniqueVisitors, ...presentLists(figures) }),
    timeseries: bucketStarts(range).map((at) => ({
      at: new Date(at).toISOString(),
      ...(figures.buckets.get(at) ?? { clicks: 0, ...(isExact && { uniqueVisitors: 0 }) }),
    })),
    notKnown: [...(isExact ? NOT_OF_CLICKS : NOT_OF_ROLLUPS)],
  };
}

export type FilteredFigures = MatchingFigures | SoleFigures;

/**
 * Counts from the clicks or, for a single filter, from rollups if the clicks cannot be examined. Throws 400 if
 * neither is possible.
 */
export async function readFilteredFigures(
  sources: FigureSources,
  matching: MatchingQuery,
  now: number,
  by: readonly CountedBy[] = BREAKDOWN_BY,
): Promise<FilteredFigures> {
  const read = await readClicks(sources, matching, now, { by, max: VALUES_MAX });
  if ("figures" in read) return read.figures;
  const field = soleField(matching.filters);
  if (!field) throw invalid([read.fault]);
  const figures = await singleFilterFigures(sources, matching, field, now);
  if (!figures) throw invalid([read.fault, `${field}: ${NOT_LISTED_SEPARATELY}`]);
  return figures;
}

const NOT_LISTED_SEPARATELY =
  "figures for this range do not list all of its values separately, so they cannot count these clicks";

/** Throws 400 if the clicks cannot be examined. */
export async function matchingFigures(
  sources: FigureSources,
  matching: MatchingQuery,
  now: number,
  lists: CountedLists,
): Promise<MatchingFigures> {
  const read = await readClicks(sources, matching, now, lists);
  if ("fault" in read) throw invalid([read.fault]);
  return read.figures;
}

interface CountedLists {
  by: readonly CountedBy[];
  /** Maximum number of values in each list. */
  max: number;
}

type Read = { figures: MatchingFigures } | { fault: string };

function readClicks(
  { sql, columns, lookedAtMax, rawMax }: FigureSources,
  matching: MatchingQuery,
  now: number,
  { by, max }: CountedLists,
): Promise<Read> {
  return sql.begin<Read>("isolation level repeatable read read only", async (snapshot) => {
    const fault = await boundFault(snapshot, matching, lookedAtMax);
    if (fault !== undefined) return { fault };
    const opened = await columns.open(snapshot, matching.orgId, matching.range, { now, rawMax });
    const figures = opened
      ? await countMatching(snapshot, opened, matching, by, max)
      : await readMatching(snapshot, matching, by, max);
    return { figures };
  });
}

/**
 * Returns the preceding range of the same length. Of a range that has not ended, only as much is compared as has
 * passed: a whole week has more clicks than the first days of another.
 */
export function rangeBefore({ from, to, granularity }: TimeRange, now: number): TimeRange {
  const length = to - from;
  const isUnderWay = from < now && now < to;
  return { from: from - length, to: isUnderWay ? now - length : from, granularity };
}
