/** Reads the stored figures of units (hours or days), summed over writers, and replaces them. */
import type { Sql, TransactionSql } from "postgres";
import type { Span } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import {
  CORRECTIONS_WRITER,
  newRevision,
  ROLLUP_METRICS,
  type RollupMetric,
  revisionOf,
  WHOLE_ORGANIZATION,
} from "@/platform/db/figure-constants";
import type { Statements } from "@/platform/db/statements";
import { countsOf, eachCount, encodeCounts } from "../counts";
import { REST_VALUE } from "../dimensions";
import { codeOf, dimensionOf, figureCode, figureKey, metricOf, rollupDimensionOf, valueIdOf } from "../keys";
import { decodeSketch, encodeSketch, type Sketch, SketchFormatError } from "../uniques";
import { DAYS, type FigureLevel, type WrittenFigures, writeFigureRows } from "../write/figure-rows";
import { FigureValues } from "../write/number-values";
import { boundValues, isOpenEnded, listedMaxOf } from "../write/value-bound";
import { addCell, addSketch, cellKey, createUnit, type UnitFigures } from "./unit-figures";

interface StoredRow {
  /** Unix milliseconds. */
  start: number;
  linkId: string;
  isBot: boolean;
  clicks: number;
  opens: number;
  counts: Uint8Array;
  visitors: Uint8Array | null;
}

/** Returns the organization's rows from `from` to before `to`, by start, still packed. */
export async function readRows(
  tx: TransactionSql,
  { unit, table }: FigureLevel,
  orgId: string,
  { from, to }: Span,
): Promise<Map<number, StoredRow[]>> {
  // Reads each link's own stretch of the primary key, in which the link comes before the time.
  const rows = await tx.unsafe<StoredRow[]>(
    `select extract(epoch from ${unit})::float8 * 1000 as start, link_id as "linkId", is_bot as "isBot", clicks, opens,
       counts, visitors
     from (
       select id as wanted from links where org_id = $1::text::uuid union all select '${WHOLE_ORGANIZATION}'
     ) as links join lateral (
       select * from ${table} where org_id = $1::text::uuid and link_id = wanted
         and ${unit} >= $2::text::timestamptz and ${unit} < $3::text::timestamptz offset 0
     ) as stored on true`,
    [orgId, new Date(from).toISOString(), new Date(to).toISOString()],
  );
  return Map.groupBy(rows, ({ start }) => start);
}

export async function unpackUnit(tx: Statements, rows: readonly StoredRow[]): Promise<UnitFigures> {
  const values = await valuesOf(tx, rows);
  const unit = createUnit();
  for (const { linkId, isBot, clicks, opens, counts, visitors } of rows) {
    const put = (metric: RollupMetric, dimension: string, value: string, count: number) =>
      addCell(unit, cellKey(linkId, metric, dimension, value), count);
    if (clicks !== 0) put(isBot ? "bot_clicks" : "clicks", "total", "", clicks);
    if (opens !== 0) put(isBot ? "bot_opens" : "opens", "total", "", opens);
    eachCount(counts, (key, count) => {
      const dimension = dimensionOf(codeOf(key));
      const value = values.get(valueIdOf(key)) ?? `unknown value ${valueIdOf(key)}`;
      put(metricOf(dimension, isBot), rollupDimensionOf(dimension), value, count);
    });
    if (visitors) addSketch(unit, linkId, isBot, readable(visitors));
  }
  return unit;
}

async function valuesOf(tx: Statements, rows: readonly StoredRow[]): Promise<Map<number, string>> {
  const ids = new Set<number>();
  for (const { counts } of rows) eachCount(counts, (key) => ids.add(valueIdOf(key)));
  if (ids.size === 0) return new Map();
  const found = await tx.run<{ id: number; value: string }>(
    "select id, value from figure_values where id = any($1::text::int[])",
    [arrayLiteral([...ids])],
  );
  return new Map(found.map(({ id, value }) => [id, value]));
}

function readable(stored: Uint8Array): Sketch | null {
  try {
    return decodeSketch(stored);
  } catch (error) {
    if (error instanceof SketchFormatError) return null;
    throw error;
  }
}

/**
 * Deletes the unit's figures of all writers and writes new ones, all under the corrections writer. Click writers must
 * be held up.
 */
export async function replaceUnit(
  tx: Statements,
  level: FigureLevel,
  orgId: string,
  start: number,
  figures: UnitFigures,
): Promise<void> {
  await tx.run(
    `delete from ${level.table} where org_id = $1::text::uuid and ${level.unit} = to_timestamp($2::float8 / 1000)`,
    [orgId, start],
  );
  await writeFigureRows(level, tx, CORRECTIONS_WRITER, await packUnit(tx, orgId, start, figures));
}

/** Gives the day's rows new versions, because what was read of its hours is cached under these. */
export async function renewDay(tx: Statements, orgId: string, day: number): Promise<void> {
  await tx.run(
    `update ${DAYS.table} set revision = ${revisionOf("$3")}
     where org_id = $1::text::uuid and ${DAYS.unit} = to_timestamp($2::float8 / 1000)`,
    [orgId, day, newRevision()],
  );
}

interface GrowingRow extends Omit<WrittenFigures, "counts" | "visitors"> {
  entries: [number, number][];
  visitors: Sketch | null;
}

async function packUnit(tx: Statements, orgId: string, start: number, { cells, visitors }: UnitFigures) {
  const known = new FigureValues();
  const parts = boundParts([...cells].map(([key, count]) => ({ ...partsOf(key), count })));
  await known.load(
    (...asked) => tx.run(...asked),
    parts.flatMap(({ code, value }) => (code === undefined ? [] : [{ code, value }])),
  );
  const rows = new Map<string, GrowingRow>();
  const row = (linkId: string, isBot: boolean) => {
    const found = rows.get(linkId + isBot) ?? { ...emptyRow(orgId, linkId, start, isBot) };
    rows.set(linkId + isBot, found);
    return found;
  };
  for (const { linkId, metric, code, value, count } of parts) {
    const target = row(linkId, metric.startsWith("bot_"));
    if (code !== undefined) target.entries.push([figureKey(known.idOf(code, value) ?? 0, code), count]);
    else if (metric.endsWith("opens")) target.opens += count;
    else target.clicks += count;
  }
  for (const [key, sketch] of visitors) {
    const [linkId = "", metric] = key.split("\t");
    if (sketch) row(linkId, metric === "bot_clicks").visitors = sketch;
  }
  return [...rows.values()].map(({ entries, visitors: sketch, ...rest }) => ({
    ...rest,
    counts: encodeCounts(countsOf(entries)),
    visitors: sketch && encodeSketch(sketch),
  }));
}

type Part = ReturnType<typeof partsOf> & { count: number };

/** Limits each dimension to as many values as a row lists. */
function boundParts(parts: readonly Part[]): Part[] {
  const alike = Map.groupBy(parts, ({ linkId, metric, code }) => `${linkId} ${metric} ${code}`);
  return [...alike.values()].flatMap((ofCode) => {
    const [first] = ofCode;
    if (first?.code === undefined || !isOpenEnded(first.code)) return ofCode;
    const values = ofCode.map(({ value, count }): [string, number] => [value, count]);
    return boundValues(values, listedMaxOf(first.linkId), REST_VALUE).map(([value, count]) => ({
      ...first,
      value,
      count,
    }));
  });
}

const emptyRow = (orgId: string, linkId: string, start: number, isBot: boolean): GrowingRow => ({
  orgId,
  linkId,
  start,
  isBot,
  clicks: 0,
  opens: 0,
  entries: [],
  visitors: null,
});

function partsOf(key: string) {
  const [linkId = "", name = "", dimension = "", ...value] = key.split("\t");
  const metric = ROLLUP_METRICS.find((each) => each === name) ?? "clicks";
  return { linkId, metric, code: figureCode(metric, dimension), value: value.join("\t") };
}

/** Sums up the clicks of all days, by link. */
export async function readTotals(tx: TransactionSql, orgId: string) {
  const rows = await tx<{ linkId: string; clicks: number; botClicks: number }[]>`
    select link_id as "linkId", coalesce(sum(clicks) filter (where not is_bot), 0)::float8 as clicks,
      coalesce(sum(clicks) filter (where is_bot), 0)::float8 as "botClicks"
    from figures_daily where org_id = ${orgId} and link_id <> ${WHOLE_ORGANIZATION} group by link_id`;
  return new Map(rows.map(({ linkId, clicks, botClicks }) => [linkId, { clicks, bot_clicks: botClicks }]));
}

/**
 * Returns the times of the first and the last figure or raw row of the organization, both inclusive and in Unix
 * milliseconds; null if there is none.
 */
export async function knownDays(sql: Sql, orgId: string): Promise<Span | null> {
  const [row] = await sql<{ first: number | null; last: number | null }[]>`
    with known as (
      select min(day) as first, max(day) as last from figures_daily where org_id = ${orgId}
      union all select min(hour), max(hour) from figures_hourly where org_id = ${orgId}
      union all select min(occurred_at), max(occurred_at) from clicks where org_id = ${orgId}
      union all select min(occurred_at), max(occurred_at) from opens where org_id = ${orgId}
      union all select min(occurred_at), max(occurred_at) from events where org_id = ${orgId}
      union all select min(created_at), max(created_at) from leads where org_id = ${orgId}
      union all select min(day), max(day) from event_rollups_daily where org_id = ${orgId}
      union all select min(hour), max(hour) from event_rollups_hourly where org_id = ${orgId}
    ) select extract(epoch from min(first))::float8 * 1000 as first, extract(epoch from max(last))::float8 * 1000 as last
    from known`;
  return row?.first != null && row.last != null ? { from: row.first, to: row.last } : null;
}
