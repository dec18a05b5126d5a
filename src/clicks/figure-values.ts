/**
 * The numbers of values: what packed counts say instead of a city's name. Numbers are given out once, for all servers, and
 * never change, so that they are remembered (524,288 of them; past that all are forgotten and asked for anew).
 *
 * They are to be found out before a batch's transaction (`prepare`): servers that meet a new value at once would otherwise
 * wait for each other's commits. Where a transaction has to, its failure must make them forgotten: see `FigureStore`.
 */
import type { Statements } from "@/platform/db/statements";
import { arrayLiteral, textArrayLiteral } from "./postgres-text";

export interface WantedValue {
  /** Of the dimension, see `figure-keys`. */
  code: number;
  value: string;
}

const KNOWN_MAX = 524_288;

export class FigureValues {
  #known = new Map<number, Map<string, number>>();
  #size = 0;

  /** Undefined where it was not asked for by `load`. */
  idOf(code: number, value: string): number | undefined {
    return this.#known.get(code)?.get(value);
  }

  /** Afterwards all of these are known. */
  async load(run: Statements["run"], wanted: Iterable<WantedValue>): Promise<void> {
    if (this.#size > KNOWN_MAX) this.forget();
    const missing = [...new Map([...wanted].map((each) => [`${each.code} ${each.value}`, each])).values()];
    const unknown = await this.#find(run, missing);
    if (unknown.length === 0) return;
    await run(
      `insert into figure_values (dimension, value)
       select code, value from unnest($1::text::smallint[], $2::text::text[]) as wanted (code, value)
       order by code, value on conflict do nothing`,
      columnsOf(unknown),
    );
    const lost = await this.#find(run, unknown);
    if (lost.length > 0) throw new Error(`${lost.length} values of figures have no number.`);
  }

  forget(): void {
    this.#known = new Map();
    this.#size = 0;
  }

  /** Those that have no number. */
  async #find(run: Statements["run"], wanted: readonly WantedValue[]): Promise<WantedValue[]> {
    if (wanted.length === 0) return [];
    const rows = await run<{ position: string; id: number }>(
      `select position, id from unnest($1::text::smallint[], $2::text::text[]) with ordinality
         as wanted (code, value, position)
       join figure_values known on known.dimension = wanted.code and known.value = wanted.value`,
      columnsOf(wanted),
    );
    for (const { position, id } of rows) this.#keep(wanted[Number(position) - 1], id);
    return wanted.filter(({ code, value }) => this.idOf(code, value) === undefined);
  }

  #keep(wanted: WantedValue | undefined, id: number): void {
    if (!wanted) return;
    const { code, value } = wanted;
    const values = this.#known.get(code) ?? new Map<string, number>();
    this.#known.set(code, values.set(value, id));
    this.#size++;
  }
}

const columnsOf = (wanted: readonly WantedValue[]) => [
  arrayLiteral(wanted.map(({ code }) => code)),
  textArrayLiteral(wanted.map(({ value }) => value)),
];
