/**
 * Everything in this process that remembers what the database said. When another history of it begins (`history.ts`), none of
 * that holds any more: a version or an id may stand for something else. Whoever remembers is handed the `Copies` and adds
 * itself; a test knows each cache of the source, and fails for one that is new and does not.
 */
export interface Copy {
  /** Asks the database again from now on. */
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
