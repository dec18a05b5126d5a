/**
 * The raw clicks and opens of one hour in columns, about 50 bytes per visit. Each value and visitor is represented by
 * its index among the distinct ones, so that part of an hour is counted in an array, without a lookup for each visit.
 */
import type { Fragment } from "postgres";
import { LEAST_ID } from "@/core/ids";
import { COUNTED } from "@/platform/db/figure-constants";
import { CLICK_DIMENSION_NAMES, REST_VALUE, valueInSql } from "../dimensions";
import { type FigureDimension, figureDimensionCode, figureKey } from "../keys";
import type { FigureValue, KnownValues } from "../values";
import type { Reader } from "./scope";

/** Some visits of one kind, in time order. */
export interface VisitColumns {
  /** Unix milliseconds. */
  at: Float64Array;
  isBot: Uint8Array;
  /** The visitors of clicks. Those of opens are not read: all are the same. */
  visitors: Places<BigInt64Array>;
  /** Keys as `figureKey` makes them, `width` for each visit; `NO_KEY` for a value without a number. */
  keys: Places<Uint32Array>;
  width: number;
}

interface Places<Distinct> {
  distinct: Distinct;
  places: Uint32Array;
}

/** Not a valid key, because numbers of values begin at 1. */
export const NO_KEY = 0;

interface Kind {
  table: "clicks" | "opens";
  visitor: string;
  /** The name and the SQL expression of each dimension. */
  columns: readonly (readonly [FigureDimension, string])[];
}

export const CLICKS: Kind = {
  table: "clicks",
  visitor: "visitor::text",
  columns: CLICK_DIMENSION_NAMES.map((name) => [name, valueInSql(name)]),
};

export const OPENS: Kind = {
  table: "opens",
  visitor: "'0'",
  columns: [
    ["open_platform", "platform"],
    ["open_source", "source"],
  ],
};

/** The id, the time, whether a bot made it, and the visitor; then the values. */
type Row = readonly unknown[];

const VISITOR = 3;
const FIRST_VALUE = 4;
const ROWS_A_READ = 20_000;

/** Yields all visits among these rows, at most `ROWS_A_READ` at a time. */
export async function* readVisits(
  sql: Reader,
  kind: Kind,
  known: KnownValues,
  rows: Fragment,
): AsyncGenerator<VisitColumns, void> {
  const codes = kind.columns.map(([dimension]) => figureDimensionCode(dimension));
  const values = kind.columns.map(([, value]) => value);
  const selected = ["id", "extract(epoch from occurred_at)::float8 * 1000", "is_bot", kind.visitor, ...values];
  let after = { at: 0, id: LEAST_ID };
  for (;;) {
    const read: readonly Row[] = await sql`
      select ${sql.unsafe(selected.join(", "))} from ${sql(kind.table)}
      where ${rows} and ${sql.unsafe(COUNTED)} and (occurred_at, id) > (${new Date(after.at)}, ${after.id})
      order by occurred_at, id limit ${ROWS_A_READ}`.values();
    const idOf = await known.lookUp((text, parameters) => sql.unsafe(text, parameters), valuesOf(read, codes));
    if (read.length > 0) yield columnsOf(read, codes, idOf);
    const last = read.at(-1);
    if (!last || read.length < ROWS_A_READ) return;
    after = { at: Number(last[1]), id: String(last[0]) };
  }
}

function* valuesOf(rows: readonly Row[], codes: readonly number[]): Generator<FigureValue> {
  for (const row of rows) {
    for (const [index, code] of codes.entries()) yield { code, value: String(row[FIRST_VALUE + index]) };
  }
  if (rows.length > 0) for (const code of codes) yield { code, value: REST_VALUE };
}

function columnsOf(rows: readonly Row[], codes: readonly number[], idOf: KnownValues["idOf"]): VisitColumns {
  const keys = new DistinctValues<number>();
  const visitors = new DistinctValues<bigint>();
  for (const row of rows) {
    visitors.add(BigInt(String(row[VISITOR])));
    for (const [index, code] of codes.entries()) {
      const value = String(row[FIRST_VALUE + index]);
      // A value without a number was rare when it was counted.
      const id = idOf(code, value) ?? (value === "" ? undefined : idOf(code, REST_VALUE));
      keys.add(id === undefined ? NO_KEY : figureKey(id, code));
    }
  }
  return {
    at: Float64Array.from(rows, ([, at]) => Number(at)),
    isBot: Uint8Array.from(rows, ([, , isBot]) => Number(isBot)),
    visitors: { distinct: BigInt64Array.from(visitors.distinct), places: Uint32Array.from(visitors.places) },
    keys: { distinct: Uint32Array.from(keys.distinct), places: Uint32Array.from(keys.places) },
    width: codes.length,
  };
}

class DistinctValues<Value> {
  readonly #known = new Map<Value, number>();
  readonly places: number[] = [];

  get distinct(): Iterable<Value> {
    return this.#known.keys();
  }

  add(value: Value): void {
    const place = this.#known.get(value) ?? this.#known.size;
    if (place === this.#known.size) this.#known.set(value, place);
    this.places.push(place);
  }
}
