/**
 * Everything in this process that caches data from the database. When another history of the database begins
 * (`connection/history.ts`), all of that is invalid: a version or an id may stand for something else. Each cache is
 * given the `Copies` and adds itself. A test lists the caches in the source and fails for a new one that does not.
 */
export interface Copy {
  /** Discards the cached data, so that the database is asked again. */
  forget(): void;
}

export class Copies {
  readonly #all: Copy[];

  constructor(...all: Copy[]) {
    this.#all = all;
  }

  add(copy: Copy): void {
    this.#all.push(copy);
  }

  forget(): void {
    for (const copy of this.#all) copy.forget();
  }
}
