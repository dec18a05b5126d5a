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
  NOT_NUMBERED,
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
        const { codes, count, text } = columns[name];
        return { codes, ids: new Int32Array(count).fill(NOT_NUMBERED), text };
      }),
    };
  }

  /** Sees to it that values of these codes have numbers: those that were counted, or all. */
  number(name: ColumnName, column: ClickColumn, counts?: Uint32Array): void {
    const { ids } = column;
    if (column.text === "" && ids[0] !== NOT_NUMBERED) return;
    let values: string[] | undefined;
    for (let code = 0; code < ids.length; code++) {
      if (ids[code] !== NOT_NUMBERED || counts?.[code] === 0) continue;
      values ??= column.text.split(VALUE_SEPARATOR);
      ids[code] = this.#numberOf(name, values[code] ?? "");
    }
    if (counts === undefined) column.text = "";
  }

  /** Does the same for the values of these rows. */
  numberRows(name: ColumnName, column: ClickColumn, rows: Uint16Array): void {
    const { codes, ids } = column;
    if (column.text === "" && ids[0] !== NOT_NUMBERED) return;
    let values: string[] | undefined;
    for (let place = 0; place < rows.length; place++) {
      const code = codes[rows[place] ?? 0] ?? 0;
      if (ids[code] !== NOT_NUMBERED) continue;
      values ??= column.text.split(VALUE_SEPARATOR);
      ids[code] = this.#numberOf(name, values[code] ?? "");
    }
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
