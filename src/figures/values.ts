/**
 * Numbers of values, which packed counts hold in place of, say, a city's name. A number is assigned once for all
 * servers and never changes, so numbers are cached: up to 524,288 of them; once there are more, `makeRoom` drops all.
 * If several tasks share a cache, any of them may make room meanwhile, so each must take numbers from what `lookUp`
 * returns.
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

  /** Returns undefined for a value that `find` has not found. */
  idOf(code: number, value: string): number | undefined {
    return this.#known.get(code)?.get(value);
  }

  /** Queries the numbers that are not cached. Returns the values that have none. */
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

  /**
   * Does the same as `find`, and returns a function that has the numbers of all wanted values, even if the cache is
   * dropped meanwhile.
   */
  async lookUp(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<KnownValues["idOf"]> {
    const known = this.#known;
    await this.find(run, wanted);
    return (code, value) => known.get(code)?.get(value);
  }

  /**
   * Drops a full cache. Call it before a task and not during one, which would lose the numbers it found. Returns
   * whether the cache was dropped.
   */
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

/** Returns the values as two parameters: their codes and their texts. */
export const columnsOf = (values: readonly FigureValue[]): string[] => [
  arrayLiteral(values.map(({ code }) => code)),
  textArrayLiteral(values.map(({ value }) => value)),
];
