/**
 * Converts raw clicks to columns: those that count, in time order, `PART_ROWS_MAX` at a time. Postgres aggregates
 * each column into a single value, which takes a quarter of what as many rows would take.
 */
import { recordOf } from "@/contract/record-of";
import { LEAST_ID } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import { COUNTED } from "@/platform/db/figure-constants";
import { CLICK_DIMENSION_NAMES, mapDimensions, valueInSql } from "../dimensions";
import type { Reader } from "../read/scope";
import {
  COLUMN_NAMES,
  PART_ROWS_MAX,
  type PlainColumn,
  type PlainPart,
  VALUE_SEPARATOR,
  type ValueCodes,
} from "./click-columns";

const VISITOR_BYTES = 8;
const TIME_BYTES = 8;
const LINK_DIGITS = 32;

/** The columns of `rows` clicks. */
interface Page {
  rows: number;
  lastId: string;
  /** Unix milliseconds as big-endian doubles, eight bytes each. */
  at: Buffer;
  visitors: Buffer;
  links: string;
  /** One digit for each click. */
  bots: string;
  /** In the order of the dimensions. */
  values: string[][];
}

/** Yields parts that each lie within one hour or day (`unitMs`); `start` is the start of that unit. */
export async function* rawParts(sql: Reader, orgId: string, span: Span, unitMs: number): AsyncGenerator<PlainPart> {
  let after = { at: span.from, id: LEAST_ID };
  for (;;) {
    const page = await readPage(sql, orgId, span, after);
    if (page.rows === 0) return;
    const times = timesOf(page);
    for (let from = 0; from < page.rows; ) {
      const start = Math.floor((times[from] ?? 0) / unitMs) * unitMs;
      let to = from + 1;
      while (to < page.rows && (times[to] ?? 0) < start + unitMs) to++;
      yield partOf(page, times, { from, to, start });
      from = to;
    }
    if (page.rows < PART_ROWS_MAX) return;
    after = { at: times.at(-1) ?? span.to, id: page.lastId };
  }
}

const VALUES = CLICK_DIMENSION_NAMES.map((name, place) => `${valueInSql(name)} as v${place}`);
const LISTS = CLICK_DIMENSION_NAMES.map((_, place) => `coalesce(json_agg(v${place}), '[]')`);

/** Reads the clicks after `after`. All columns are in the order of the inner statement. */
async function readPage(sql: Reader, orgId: string, { to }: Span, after: { at: number; id: string }): Promise<Page> {
  const [page] = await sql<Page[]>`
    select count(*)::int as rows, (array_agg(id))[count(*)]::text as "lastId",
      coalesce(string_agg(float8send(extract(epoch from occurred_at)::float8 * 1000), ''), '') as at,
      coalesce(string_agg(int8send(visitor), ''), '') as visitors,
      coalesce(encode(string_agg(uuid_send(link_id), ''), 'hex'), '') as links,
      coalesce(string_agg(is_bot::int::text, ''), '') as bots,
      json_build_array(${sql.unsafe(LISTS.join(", "))}) as values
    from (
      select id, occurred_at, visitor, link_id, is_bot, ${sql.unsafe(VALUES.join(", "))} from clicks
      where org_id = ${orgId} and (occurred_at, id) > (${new Date(after.at)}, ${after.id})
        and occurred_at >= ${new Date(after.at)} and occurred_at < ${new Date(to)} and ${sql.unsafe(COUNTED)}
      order by occurred_at, id limit ${PART_ROWS_MAX}
    ) as page`;
  if (!page) throw new Error("Reading a page of clicks returned no row");
  return page;
}

const timesOf = ({ rows, at }: Page): Float64Array =>
  Float64Array.from({ length: rows }, (_, row) => Math.round(at.readDoubleBE(row * TIME_BYTES)));

interface Cut {
  from: number;
  to: number;
  start: number;
}

function partOf(page: Page, times: Float64Array, { from, to, start }: Cut): PlainPart {
  const rows = to - from;
  const links = Array.from({ length: rows }, (_, row) => {
    const place = (from + row) * LINK_DIGITS;
    return page.links.slice(place, place + LINK_DIGITS);
  });
  return {
    ...{ rows, start },
    at: Uint32Array.from(times.subarray(from, to), (time) => time - start),
    isBot: Uint8Array.from({ length: rows }, (_, row) => Number(page.bots[from + row] === "1")),
    ...codedVisitors(
      Array.from({ length: rows }, (_, row) => page.visitors.readBigUInt64BE((from + row) * VISITOR_BYTES)),
    ),
    columns: recordOf(COLUMN_NAMES, (name) =>
      name === "link" ? coded(links) : coded((page.values[PLACES[name]] ?? []).slice(from, to)),
    ),
  };
}

const PLACES = mapDimensions((name) => CLICK_DIMENSION_NAMES.indexOf(name));
const BYTE_CODES = 256;

export function coded(column: readonly string[]): PlainColumn {
  const { codes, values } = placesOf(column);
  return {
    codes: values.length <= 1 ? new Uint8Array() : narrowed(codes, values.length),
    count: values.length,
    texts: new TextEncoder().encode(values.join(VALUE_SEPARATOR)),
  };
}

export function codedVisitors(keys: readonly bigint[]): Pick<PlainPart, "visitors" | "visitorCodes"> {
  const { codes, values } = placesOf(keys);
  return {
    visitorCodes: narrowed(codes, values.length),
    visitors: new Uint32Array(BigUint64Array.from(values).buffer),
  };
}

function placesOf<Value>(column: readonly Value[]): { codes: Uint16Array; values: Value[] } {
  const places = new Map<Value, number>();
  const codes = Uint16Array.from(column, (value) => {
    const known = places.get(value) ?? places.size;
    if (known === places.size) places.set(value, known);
    return known;
  });
  return { codes, values: [...places.keys()] };
}

/** Returns the codes in as few bytes as possible. */
const narrowed = (codes: Uint16Array, values: number): ValueCodes =>
  values <= BYTE_CODES ? Uint8Array.from(codes) : codes;
