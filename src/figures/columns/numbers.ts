/**
 * Numbers of values in this process, by column, from 0. They are assigned as values come, and are valid until all are
 * forgotten together with the parts that use them (`loaded-days.ts` bounds how many there are).
 */
import { recordOf } from "@/contract/record-of";
import { type ClickColumn, type ClickPart, COLUMN_NAMES, type ColumnName, type PlainPart } from "./click-columns";
import { TextNumbers } from "./value-names";

export class ValueNumbers {
  readonly #values = recordOf(COLUMN_NAMES, () => new TextNumbers());

  /** The number of values in all columns. */
  get size(): number {
    return COLUMN_NAMES.reduce((sum, name) => sum + this.count(name), 0);
  }

  count(name: ColumnName): number {
    return this.#values[name].count;
  }

  find(name: ColumnName, value: string): number | undefined {
    return this.#values[name].find(value);
  }

  valueOf(name: ColumnName, id: number): string {
    return this.#values[name].textOf(id);
  }

  /** Returns the part in the form that uses these numbers. */
  open({ columns, ...part }: PlainPart): ClickPart {
    return {
      ...part,
      columns: recordOf(COLUMN_NAMES, (name) => {
        const { codes, count, texts } = columns[name];
        return { codes, count, ids: new Uint32Array(), texts };
      }),
    };
  }

  /** Assigns numbers to the column's values, unless they have them. */
  number(name: ColumnName, column: ClickColumn): void {
    if (column.ids.length > 0) return;
    column.ids = new Uint32Array(column.count);
    this.#values[name].numberAll(column.texts, column.ids);
    column.texts = new Uint8Array();
  }
}
