/**
 * Passes rows to Postgres as one JSON parameter. The statement's text is the same for any number of rows, so it is
 * built and prepared once. Rows that are written together are very similar, and Postgres takes as long to read a
 * value as to store it. So the first line of the parameter contains the first row, and the second line what differs
 * from it in each row.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

export interface JsonRows<Row> {
  /**
   * Returns `insert into … select … from … as given`, to which conditions can be appended. `parameter` is written
   * like `$1`.
   */
  insertFrom(parameter: string, also?: Record<string, string>): string;
  /** Returns the parameter's text. A missing value is null. */
  write(rows: readonly Row[]): string;
}

/**
 * `byDefault` are the columns that Postgres fills in. `also` maps further columns, or existing ones, to SQL
 * expressions.
 */
export function jsonRows<Table extends PgTable, Default extends keyof Table["$inferSelect"] = never>(
  table: Table,
  ...byDefault: Default[]
): JsonRows<Omit<Table["$inferSelect"], Default>> {
  const left = new Set<PropertyKey>(byDefault);
  const columns = Object.entries(getTableColumns(table))
    .filter(([field]) => !left.has(field))
    .map(([field, { name }]) => ({ field, name }));
  const names = columns.map(({ name }) => name);
  const target = getTableName(table);
  return {
    insertFrom(parameter, also = {}) {
      const given = names.filter((name) => !Object.hasOwn(also, name));
      return `insert into ${target} (${[...given, ...Object.keys(also)].join(", ")})
       select ${[...given, ...Object.values(also)].join(", ")}
       from json_populate_recordset(json_populate_record(null::${target}, ${lineOf(parameter, 1)}), ${lineOf(parameter, 2)}) as given`;
    },
    write(rows) {
      const first = rows.length > 1 ? differing(rows[0], {}) : {};
      return `${JSON.stringify(first)}\n${JSON.stringify(rows.map((row) => differing(row, first)))}`;
    },
  };

  /**
   * Returns the values that differ from those of the first row. Most are null, and a null need not be written either.
   */
  function differing(row: object = {}, first: Values): Values {
    const own: Values = {};
    for (const { field, name } of columns) {
      const value: unknown = Reflect.get(row, field) ?? null;
      const usual = first[name] ?? null;
      if (value !== usual && !areEqual(value, usual)) own[name] = value;
    }
    return own;
  }
}

type Values = Record<string, unknown>;

/** JSON as written here contains no line breaks. */
const lineOf = (parameter: string, line: number) => `split_part(${parameter}::text, chr(10), ${line})::json`;

const areEqual = (one: unknown, other: unknown): boolean =>
  typeof one === "object" && typeof other === "object" && Bun.deepEquals(one, other);
