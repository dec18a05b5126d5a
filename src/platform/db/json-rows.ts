/**
 * Rows brought to Postgres as one parameter of JSON: the statement's text is the same however many they are, so that it is
 * put together and prepared once.
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
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => !left.has(field));
  const names = columns.map(([, column]) => column.name);
  const target = getTableName(table);
  return {
    insertFrom(parameter, also = {}) {
      const given = names.filter((name) => !Object.hasOwn(also, name));
      return `insert into ${target} (${[...given, ...Object.keys(also)].join(", ")})
       select ${[...given, ...Object.values(also)].join(", ")}
       from json_populate_recordset(null::${target}, ${parameter}::text::json) as given`;
    },
    write(rows) {
      const written = rows.map((row) => {
        const values: Record<string, unknown> = {};
        for (const [field, { name }] of columns) {
          const value: unknown = Reflect.get(row, field);
          // What is not there is null, too, and most columns of a row are: Postgres reads each that is written twice.
          if (value !== null) values[name] = value;
        }
        return values;
      });
      return JSON.stringify(written);
    },
  };
}
