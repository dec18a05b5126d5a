/**
 * Exports figures by bucket as CSV. Buckets are read in chunks, each in its own transaction and only once the client
 * has consumed the previous one. An export of two years therefore holds the sketches of one chunk, and a client that
 * reads slowly holds neither a connection nor a database snapshot. Under filters, clicks are examined once for all
 * buckets.
 */
import { SERIES_METRICS, type SeriesMetric } from "@/contract/analytics/series";
import type { Cell } from "@/core/csv/cells";
import type { OrgId } from "@/core/ids";
import { bucketStarts, type TimeRange } from "@/core/time/time-range";
import { readEvents } from "@/figures/read/events";
import { singleLinkOrNone } from "@/figures/read/filters";
import { type FiguresScope, partsOf } from "@/figures/read/scope";
import { seriesOf } from "@/figures/read/series";
import type { FigureSources } from "@/figures/read/sources";
import { countUniques } from "@/figures/read/uniques";
import type { CsvOptions } from "@/http/csv";
import { type Bucket, bucketsOf } from "./buckets";
import { type FiguresQuery, validateQuery } from "./figures-query";
import { type FilteredFigures, readFilteredFigures } from "./filtered";

const CHUNK_BUCKETS = 31;

export type SeriesExport = Pick<CsvOptions, "filename" | "header" | "chunks">;

export interface ExportOptions {
  /** Prefix of the file name. */
  name?: string;
  /** Columns in order; defaults to all. */
  metrics?: readonly SeriesMetric[];
}

/** Streams one row per bucket, without gaps. Throws as `filtered` does. */
export async function exportSeries(
  sources: FigureSources,
  orgId: OrgId,
  query: FiguresQuery,
  now: number,
  { name = "analytics", metrics = SERIES_METRICS }: ExportOptions,
): Promise<SeriesExport> {
  const { range, filters, includeBots } = await validateQuery(sources.sql, orgId, query, now);
  const of = singleLinkOrNone(filters);
  return {
    filename: `${name} ${day(range.from)} ${day(range.to - 1)}.csv`.replaceAll(" ", "-"),
    header: ["at", ...metrics],
    chunks: of
      ? rowsOf(range, metrics, (part) =>
          readBuckets(sources, orgId, part, { ...of, includeBots, ...partsOf(part, now) }),
        )
      : singleChunk(
          filteredRows(
            range,
            metrics,
            await readFilteredFigures(sources, { orgId, range, includeBots, filters }, now, []),
          ),
        ),
  };
}

async function* singleChunk(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows;
}

/** Leaves the cells of metrics that clicks cannot provide empty. */
function filteredRows(range: TimeRange, metrics: readonly SeriesMetric[], figures: FilteredFigures): Cell[][] {
  const none: Partial<Bucket> = { clicks: 0, ...("uniqueVisitors" in figures && { uniqueVisitors: 0 }) };
  return bucketStarts(range).map((at) => {
    const bucket: Partial<Bucket> = figures.buckets.get(at) ?? none;
    return [new Date(at).toISOString(), ...metrics.map((metric) => bucket[metric] ?? null)];
  });
}

const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);

async function* rowsOf(
  range: TimeRange,
  metrics: readonly SeriesMetric[],
  read: (part: TimeRange) => Promise<Bucket[]>,
): AsyncGenerator<Cell[][]> {
  for (const part of chunksOf(range)) {
    const buckets = await read(part);
    yield buckets.map((bucket) => [bucket.at, ...metrics.map((metric) => bucket[metric])]);
  }
}

/** Splits the range at bucket boundaries into chunks of `CHUNK_BUCKETS` buckets. */
function* chunksOf(range: TimeRange): Generator<TimeRange> {
  const starts = bucketStarts(range);
  for (let index = 0; index < starts.length; index += CHUNK_BUCKETS) {
    const from = Math.max(range.from, starts[index] ?? range.from);
    yield { ...range, from, to: starts[index + CHUNK_BUCKETS] ?? range.to };
  }
}

/** Uses a custom plan for each query, as overviews do. */
function readBuckets(sources: FigureSources, orgId: OrgId, range: TimeRange, scope: FiguresScope): Promise<Bucket[]> {
  return sources.sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const planning = snapshot`set local plan_cache_mode = force_custom_plan`.execute();
    const partialHours = sources.partialHours.read(snapshot, orgId, scope);
    const bucketRows = sources.packed.read(snapshot, orgId, scope, scope.buckets);
    const [, rows, inPartialHours, events, installs] = await Promise.all([
      planning,
      bucketRows,
      partialHours,
      readEvents(snapshot, orgId, scope),
      sources.installs.read(snapshot, bucketRows, partialHours, range.granularity),
    ]);
    const series = seriesOf(rows, inPartialHours, range.granularity);
    const uniques = countUniques(rows, inPartialHours.visitors, range.granularity);
    return bucketsOf(range, { series, uniques, events, installs });
  });
}
