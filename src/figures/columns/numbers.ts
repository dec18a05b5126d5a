/**
 * Numbers of values in this process, by column, from 0. They are given out as values come, and hold until all are forgotten
 * together with the parts that go by them (`loaded-days.ts` bounds how many there are).
 */
import { recordOf } from "@/contract/record-of";
import {
  type ClickColumn,
  type ClickPart,
  COLUMN_NAMES,
  type ColumnName,
  type PlainPart,
  VALUE_SEPARATOR,
} from "./click-columns";

export class ValueNumbers {
  readonly #known = recordOf(COLUMN_NAMES, () => new Map<string, number>());
  readonly #values = recordOf(COLUMN_NAMES, (): string[] => []);
  #size = 0;

  /** Of all columns. */
  get size(): number {
    return this.#size;
  }

  count(name: ColumnName): number {
    return this.#values[name].length;
  }

  find(name: ColumnName, value: string): number | undefined {
    return this.#known[name].get(value);
  }

  valueOf(name: ColumnName, id: number): string {
    return this.#values[name][id] ?? "";
  }

  /** The part, to go by these numbers. */
  open({ columns, ...part }: PlainPart): ClickPart {
    return {
      ...part,
      columns: recordOf(COLUMN_NAMES, (name) => {
        const { codes, text } = columns[name];
        return { codes, ids: new Uint32Array(), text };
      }),
    };
  }

  /** Sees to it that the column's values have numbers. */
  number(name: ColumnName, column: ClickColumn): void {
    if (column.ids.length > 0) return;
    const values = column.text.split(VALUE_SEPARATOR);
    column.ids = new Uint32Array(values.length);
    for (let code = 0; code < values.length; code++) column.ids[code] = this.#numberOf(name, values[code] ?? "");
    column.text = "";
  }

  #numberOf(name: ColumnName, value: string): number {
    const known = this.#known[name].get(value);
    if (known !== undefined) return known;
    const id = this.#values[name].push(value) - 1;
    this.#known[name].set(value, id);
    this.#size++;
    return id;
  }
}
