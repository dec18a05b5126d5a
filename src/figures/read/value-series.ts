/**
 * Reads the daily clicks of single values, such as a country, from packed counts. So only whole days in UTC are
 * possible.
 */
import type { Sql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import { eachCount } from "../counts";
import { type FigureDimension, figureDimensionCode, figureKey } from "../keys";
import { KnownValues } from "../values";
import type { PackedFigures } from "./packed";

export interface ValueSeriesQuery {
  /** Defaults to all links. */
  linkId?: string;
  includeBots: boolean;
  days: Span;
  values: readonly { dimension: FigureDimension; value: string }[];
}

/** The counts of one value by start of the day; days without any are absent. */
export type DailyCounts = Map<number, number>;

export async function readValueSeries(
  { sql, packed }: { sql: Sql; packed: PackedFigures },
  orgId: OrgId,
  { linkId, includeBots, days, values }: ValueSeriesQuery,
): Promise<DailyCounts[]> {
  const wanted = values.map(({ dimension, value }) => ({ code: figureDimensionCode(dimension), value }));
  const [rows, idOf] = await Promise.all([
    packed.read(sql, orgId, { linkId, includeBots, granularity: "day", ...NO_SPANS }, { days, hours: [] }),
    new KnownValues().lookUp((text, parameters) => sql.unsafe(text, parameters), wanted),
  ]);
  const series: DailyCounts[] = values.map(() => new Map());
  const places = new Map<number, DailyCounts>();
  for (const [index, { code, value }] of wanted.entries()) {
    const [id, counts] = [idOf(code, value), series[index]];
    if (id !== undefined && counts) places.set(figureKey(id, code), counts);
  }
  for (const { start, counts } of rows) {
    eachCount(counts, (key, count) => {
      const ofValue = places.get(key);
      ofValue?.set(start, (ofValue.get(start) ?? 0) + count);
    });
  }
  return series;
}

const NO_SPANS = {
  whole: { days: { from: 0, to: 0 }, hours: [] },
  buckets: { days: { from: 0, to: 0 }, hours: [] },
  partialHours: [],
};
