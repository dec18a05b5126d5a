/**
 * The numbers of values: what packed counts say instead of a city's name. Numbers are given out once, for all servers, and
 * never change, so that they are remembered (524,288 of them; past that `makeRoom` forgets all). Who shares what is known
 * with others at work meanwhile, any of whom may make room, takes numbers from `lookUp`.
 */
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Statements } from "@/platform/db/statements";

export interface FigureValue {
  /** The code of the dimension: see `keys`. */
  code: number;
  value: string;
}

const KNOWN_MAX = 524_288;

export class KnownValues {
  #known = new Map<number, Map<string, number>>();
  #size = 0;

  /** Undefined where `find` has not found it. */
  idOf(code: number, value: string): number | undefined {
    return this.#known.get(code)?.get(value);
  }

  /** Asks for those that are not known. Those that have no number come back. */
  async find(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<FigureValue[]> {
    const known = this.#known;
    const missing = new Map<string, FigureValue>();
    for (const each of wanted) {
      if (known.get(each.code)?.get(each.value) === undefined) missing.set(`${each.code} ${each.value}`, each);
    }
    if (missing.size === 0) return [];
    const asked = [...missing.values()];
    const rows = await run<{ position: string; id: number }>(
      `select position, id from unnest($1::text::smallint[], $2::text::text[]) with ordinality
         as wanted (code, value, position)
       join figure_values known on known.dimension = wanted.code and known.value = wanted.value`,
      columnsOf(asked),
    );
    for (const { position, id } of rows) this.#keep(known, asked[Number(position) - 1], id);
    return asked.filter(({ code, value }) => known.get(code)?.get(value) === undefined);
  }

  /** As `find`; what is given back has the numbers of all that were wanted, though they be forgotten meanwhile. */
  async lookUp(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<KnownValues["idOf"]> {
    const known = this.#known;
    await this.find(run, wanted);
    return (code, value) => known.get(code)?.get(value);
  }

  /** To be called before a piece of work, not within: what it found would be lost. Returns whether all are forgotten. */
  makeRoom(): boolean {
    if (this.#size <= KNOWN_MAX) return false;
    this.forget();
    return true;
  }

  forget(): void {
    this.#known = new Map();
    this.#size = 0;
  }

  protected keep(value: FigureValue, id: number): void {
    this.#keep(this.#known, value, id);
  }

  #keep(known: Map<number, Map<string, number>>, found: FigureValue | undefined, id: number): void {
    if (!found) return;
    const values = known.get(found.code) ?? new Map<string, number>();
    known.set(found.code, values.set(found.value, id));
    if (known === this.#known) this.#size++;
  }
}

/** As parameters: the codes, the values. */
export const columnsOf = (values: readonly FigureValue[]): string[] => [
  arrayLiteral(values.map(({ code }) => code)),
  textArrayLiteral(values.map(({ value }) => value)),
];
