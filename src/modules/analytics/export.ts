/**
 * Figures by bucket as CSV. Buckets are read a chunk at a time, each when the client has taken the former ones and in a
 * transaction of its own: an export of two years holds the sketches of one chunk, and a client that reads slowly holds
 * neither a connection nor a snapshot of the database.
 */
import type { Sql } from "postgres";
import { type AnalyticsQuery, SERIES_METRICS, type SeriesMetric } from "@/contract/analytics";
import type { OrgId } from "@/core/ids";
import { bucketStarts, type TimeRange } from "@/core/time-range";
import type { Cell, CsvOptions } from "@/http/csv";
import { askedRange, checkLink, partsOf } from "./asked";
import { type Bucket, bucketsOf } from "./buckets";
import type { Edges } from "./queries/edges";
import { readEvents } from "./queries/events";
import type { Installs } from "./queries/installs";
import type { PackedFigures } from "./queries/packed";
import type { FiguresScope } from "./queries/scope";
import { readSeries } from "./queries/series";
import { countUniques } from "./uniques";

const CHUNK_BUCKETS = 31;

export type SeriesExport = Pick<CsvOptions, "filename" | "header" | "chunks">;

export interface ExportOptions {
  /** What the file's name begins with. */
  name?: string;
  /** Columns, in this order; all of them when absent. */
  metrics?: readonly SeriesMetric[];
}

export interface FigureSources {
  sql: Sql;
  packed: PackedFigures;
  edges: Edges;
  installs: Installs;
  /** Up to how many clicks filters look at; see `queries/bound`. */
  lookedAtMax?: number;
  /** Up to how many figures of links are summed up by tag. */
  summedRowsMax?: number;
}

/** One row a bucket, without gaps. Throws as `overview`. */
export async function exportSeries(
  sources: FigureSources,
  orgId: OrgId,
  query: AnalyticsQuery,
  now: number,
  { name = "analytics", metrics = SERIES_METRICS }: ExportOptions,
): Promise<SeriesExport> {
  const range = askedRange(query, now);
  const { linkId, includeBots = false } = query;
  await checkLink(sources.sql, orgId, linkId);
  return {
    filename: `${name} ${day(range.from)} ${day(range.to - 1)}.csv`.replaceAll(" ", "-"),
    header: ["at", ...metrics],
    chunks: rowsOf(range, metrics, (part) =>
      readBuckets(sources, orgId, part, { linkId, includeBots, ...partsOf(part, now) }),
    ),
  };
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

/** Cut between buckets. */
function* chunksOf(range: TimeRange): Generator<TimeRange> {
  const starts = bucketStarts(range);
  for (let index = 0; index < starts.length; index += CHUNK_BUCKETS) {
    const from = Math.max(range.from, starts[index] ?? range.from);
    yield { ...range, from, to: starts[index + CHUNK_BUCKETS] ?? range.to };
  }
}

/** Planned anew each time, as for overviews. */
function readBuckets(sources: FigureSources, orgId: OrgId, range: TimeRange, scope: FiguresScope): Promise<Bucket[]> {
  return sources.sql.begin("isolation level repeatable read read only", async (snapshot) => {
    const planning = snapshot`set local plan_cache_mode = force_custom_plan`.execute();
    const edges = sources.edges.read(snapshot, orgId, scope);
    const bucketRows = sources.packed.read(snapshot, orgId, scope, scope.buckets);
    const [, series, rows, { visitors }, events, installs] = await Promise.all([
      planning,
      readSeries(snapshot, orgId, scope, edges),
      bucketRows,
      edges,
      readEvents(snapshot, orgId, scope),
      sources.installs.read(snapshot, bucketRows, edges, range.granularity),
    ]);
    return bucketsOf(range, { series, uniques: countUniques(rows, visitors, range.granularity), events, installs });
  });
}
