/**
 * Rows brought to Postgres as one parameter of JSON: the statement's text is the same however many they are, so that it is
 * put together and prepared once. Rows that are written together are much alike, and Postgres takes as long to read a value
 * as to store it: so the first line of the parameter has the first row, the second what each row has otherwise.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

export interface JsonRows<Row> {
  /** `insert into … select … from … as given`, to be followed by what narrows it. The parameter is as `$1`. */
  insertFrom(parameter: string, also?: Record<string, string>): string;
  /** As the parameter has them; what is missing is null. */
  write(rows: readonly Row[]): string;
}

/** `byDefault` are the columns that Postgres fills in by itself. `also` adds columns, or says more of those there are. */
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

  /** What is missing is null, too, and most columns of a row are. */
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

/** JSON has no line breaks of its own. */
const lineOf = (parameter: string, line: number) => `split_part(${parameter}::text, chr(10), ${line})::json`;

const areEqual = (one: unknown, other: unknown): boolean =>
  typeof one === "object" && typeof other === "object" && Bun.deepEquals(one, other);
