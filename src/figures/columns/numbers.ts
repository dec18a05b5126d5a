/**
 * Numbers of values in this process, by column, from 0. They are given out as values come, and hold until all are forgotten
 * together with the parts that go by them (`loaded-days.ts` bounds how many there are).
 */
import { recordOf } from "@/contract/record-of";
import { type ClickPart, COLUMN_NAMES, type ColumnName, type PlainPart } from "./click-columns";

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

  /** The part, by these numbers. */
  number({ columns, ...part }: PlainPart): ClickPart {
    return {
      ...part,
      columns: recordOf(COLUMN_NAMES, (name) => {
        const { codes, values } = columns[name];
        return { codes, ids: Uint32Array.from(values, (value) => this.#numberOf(name, value)) };
      }),
    };
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
