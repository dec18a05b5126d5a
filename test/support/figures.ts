/** Stored figures in a form that tests can compare: one cell for each unpacked count, and the visitor sketches. */
import type { Sql } from "postgres";
import { eachCount } from "@/figures/counts";
import { codeOf, dimensionOf, metricOf, rollupDimensionOf, valueIdOf } from "@/figures/keys";

export interface Cell {
  unit: "hour" | "day";
  orgId: string;
  linkId: string;
  /** ISO 8601. */
  start: string;
  writer: number;
  metric: string;
  dimension: string;
  value: string;
  count: number;
}

export interface StoredSketch extends Pick<Cell, "unit" | "orgId" | "linkId" | "start" | "writer"> {
  isBot: boolean;
  sketch: Buffer;
}

interface Row extends StoredSketch {
  clicks: number;
  opens: number;
  counts: Buffer;
}

/** Returns the cells of one organization, or of all. */
export async function storedCells(sql: Sql, orgId?: string): Promise<Cell[]> {
  const values = await sql<{ id: number; value: string }[]>`select id, value from figure_values`;
  const known = new Map(values.map(({ id, value }) => [id, value]));
  return (await storedRows(sql, orgId)).flatMap((row) => cellsOf(row, known));
}

export async function storedSketches(sql: Sql, orgId?: string): Promise<StoredSketch[]> {
  return (await storedRows(sql, orgId)).filter(({ sketch }) => sketch !== null);
}

async function storedRows(sql: Sql, orgId?: string): Promise<Row[]> {
  const ofOrg = orgId === undefined ? sql`` : sql`where org_id = ${orgId}`;
  const columns = sql`org_id as "orgId", link_id as "linkId", writer, is_bot as "isBot", clicks, opens, counts,
    visitors as sketch`;
  const rows = await sql<Row[]>`
    select 'hour' as unit, hour as start, ${columns} from figures_hourly ${ofOrg}
    union all select 'day', day, ${columns} from figures_daily ${ofOrg}`;
  return rows.map((row) => ({ ...row, start: new Date(row.start).toISOString() }));
}

function cellsOf({ unit, orgId, linkId, start, writer, ...row }: Row, values: Map<number, string>): Cell[] {
  const { isBot, clicks, opens, counts } = row;
  const cells: Cell[] = [];
  const put = (metric: string, dimension: string, value: string, count: number) => {
    if (count !== 0) cells.push({ unit, orgId, linkId, start, writer, metric, dimension, value, count });
  };
  put(isBot ? "bot_clicks" : "clicks", "total", "", clicks);
  put(isBot ? "bot_opens" : "opens", "total", "", opens);
  eachCount(counts, (key, count) => {
    const dimension = dimensionOf(codeOf(key));
    put(metricOf(dimension, isBot), rollupDimensionOf(dimension), values.get(valueIdOf(key)) ?? "no value", count);
  });
  return cells;
}

/** Sums the counts of cells with the same `keyOf`. Returns the nonzero sums by key, as JSON, sorted by key. */
export function sumBy(cells: readonly Cell[], keyOf: (cell: Cell) => unknown[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const cell of cells) {
    const key = JSON.stringify(keyOf(cell));
    sums.set(key, (sums.get(key) ?? 0) + cell.count);
  }
  return [...sums].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the breakdowns of an overview whose clicks have only a destination, `https://example.com/`. */
export function unknownBreakdowns(clicks: number, domain = "unknown") {
  const of = <Item>(item: Item): Item[] => (clicks === 0 ? [] : [item]);
  return {
    byRegion: of({ region: "unknown", count: clicks }),
    byUtmSource: of({ utmSource: "none", count: clicks }),
    byUtmMedium: of({ utmMedium: "none", count: clicks }),
    byUtmCampaign: of({ utmCampaign: "none", count: clicks }),
    byUtmTerm: of({ utmTerm: "none", count: clicks }),
    byUtmContent: of({ utmContent: "none", count: clicks }),
    byRule: of({ rule: "none", count: clicks }),
    bySplit: of({ split: "none", count: clicks }),
    byDestination: of({ destination: "https://example.com/", count: clicks }),
    byDomain: of({ domain, count: clicks }),
    byTag: [],
  };
}
