/** Counters, rollups and sketches as stored, and as calculated from the raw clicks. */
import { storedCells, storedSketches, sumBy } from "@test/support/figures";
import type { Row, Sql } from "postgres";
import { HOUR_MS } from "@/core/time/time-range";
import { CLICK_DIMENSIONS, type ClickDimension, mapDimensions } from "@/figures/dimensions";
import { addHash, createSketch, decodeSketch, encodeSketch, mergeInto, PRECISION } from "@/figures/uniques";
import type { BatchValues } from "@/figures/write/batch-values";
import { type CountedVisit, namedCounts, rollUp, type VisitGroup } from "@/figures/write/rollup";
import { keyOfNumber } from "@/platform/visitor";

type Figures = Record<string, number | string>;

/** Leaves out sums of zero. */
export async function storedFigures(sql: Sql, org: string): Promise<Figures> {
  const cells = sumBy(await storedCells(sql, org), ({ unit, linkId, start, metric, dimension, value }) => [
    [unit, linkId, start, metric, dimension, value].join(" "),
  ]);
  const sketches = Map.groupBy(await storedSketches(sql, org), ({ unit, linkId, start, isBot }) =>
    [unit, linkId, start, isBot ? "bots" : "people"].join(" "),
  );
  const counters = await sql`
    select link_id, sum(clicks)::int as clicks, sum(bot_clicks)::int as bots
    from link_counters where org_id = ${org} group by 1`;
  const figures: [string, number | string][] = [
    ...cells.map(([key, count]): [string, number] => [JSON.parse(key)[0], count]),
    ...[...sketches].map(([key, all]): [string, string] => [key, merged(all.map(({ sketch }) => sketch))]),
    ...counters.map((row): [string, string] => [`counter ${row.link_id}`, `${row.clicks} ${row.bots}`]),
  ];
  return Object.fromEntries(figures.filter(([, figure]) => figure !== "0 0"));
}

export async function recountedFigures(sql: Sql, org: string): Promise<Figures> {
  const rows = await sql`
    select *, visitor::text as visitor from clicks where org_id = ${org} and verdict is distinct from 'confirmed'`;
  const { values, linkHours, hours, days } = rollUp(rows.map(visitOf));
  const counters = Map.groupBy(linkHours, ({ linkId }) => linkId);
  return Object.fromEntries([
    ...hours.flatMap((group) => figuresOf("hour", group, values)),
    ...days.flatMap((group) => figuresOf("day", group, values)),
    ...[...counters].map(([linkId, groups]) => {
      const total = (kind: "people" | "bots") => groups.reduce((sum, group) => sum + group[kind].visitors.length, 0);
      return [`counter ${linkId}`, `${total("people")} ${total("bots")}`];
    }),
  ]);
}

function figuresOf(unit: string, group: VisitGroup, all: BatchValues): [string, number | string][] {
  const place = `${unit} ${group.linkId} ${new Date(group.start).toISOString()}`;
  const cells = Object.entries(namedCounts(group, all)).flatMap(([metric, tally]) =>
    Object.entries(tally).flatMap(([dimension, values]) =>
      [...values].map(([value, count]): [string, number] => [`${place} ${metric} ${dimension} ${value}`, count]),
    ),
  );
  const visitors = (["people", "bots"] as const)
    .filter((kind) => group[kind].visitors.length > 0)
    .map((kind): [string, string] => [`${place} ${kind}`, sketchOf(group[kind].visitors)]);
  return [...cells, ...visitors];
}

function sketchOf(visitors: BigUint64Array): string {
  const sketch = createSketch(PRECISION);
  for (const visitor of visitors) addHash(sketch, visitor);
  return Buffer.from(encodeSketch(sketch)).toString("hex");
}

function merged(sketches: Buffer[]): string {
  const sketch = createSketch(PRECISION);
  for (const each of sketches) mergeInto(sketch, decodeSketch(each));
  return Buffer.from(encodeSketch(sketch)).toString("hex");
}

function visitOf(row: Row): CountedVisit {
  const at = new Date(row.occurred_at).getTime();
  return {
    record: { kind: "click", at, orgId: row.org_id, linkId: row.link_id },
    hour: at - (at % HOUR_MS),
    visitor: keyOfNumber(BigInt(row.visitor)),
    isBot: row.is_bot,
    platform: row.platform,
    known: {
      values: mapDimensions((name) =>
        String(
          columnsOf(name)
            .map((column) => row[column])
            .find(isGiven) ?? "",
        ),
      ),
    },
  };
}

const isGiven = (value: unknown) => value !== null;

function columnsOf(name: ClickDimension): string[] {
  const { column, fallback } = CLICK_DIMENSIONS[name];
  return [column, ...(fallback ? [fallback] : [])].map((each) =>
    each.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
