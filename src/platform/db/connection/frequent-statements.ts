/**
 * Prepares statements that the query builder sends again and again: each connection parses them once, and they take
 * one round trip instead of two.
 *
 * Statements are counted by their text, because the builder makes a new text for each number of values or rows in a
 * request. A page of a list is never prepared: its best plan depends on whose list it is.
 *
 * Bounds: `PREPARED_MAX` texts per pool, each of at most `CHARACTERS_MAX`. All other texts are sent unprepared.
 */
import type { Sql, TransactionSql } from "postgres";

/**
 * Each connection prepares a statement separately: the first time takes two round trips, and the result takes memory
 * in Postgres.
 */
const OFTEN = 10;
const PREPARED_MAX = 300;
const COUNTED_MAX = 2_000;
const CHARACTERS_MAX = 5_000;
const IS_PAGE = /\border by\b.*\blimit\b|\boffset\b/is;

export class FrequentStatements {
  readonly #prepared = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** Counts the text and reports whether it is to be prepared. */
  isFrequent(text: string): boolean {
    if (this.#prepared.has(text)) return true;
    if (this.#prepared.size >= PREPARED_MAX || text.length > CHARACTERS_MAX) return false;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < OFTEN || IS_PAGE.test(text)) {
      if (this.#counts.size >= COUNTED_MAX) this.#counts.clear();
      this.#counts.set(text, count);
      return false;
    }
    this.#counts.delete(text);
    this.#prepared.add(text);
    return true;
  }

  /** Returns the client for Drizzle, which sends all statements by `unsafe`, also within transactions. */
  on(client: Sql): Sql {
    return this.#asking(client, {
      begin: (work: Work) => client.begin((tx) => work(this.#within(tx))),
    });
  }

  #within(tx: TransactionSql): TransactionSql {
    return this.#asking(tx, {
      savepoint: (work: Work) => tx.savepoint((inner) => work(this.#within(inner))),
    });
  }

  #asking<Client extends Sql | TransactionSql>(client: Client, start: object): Client {
    const unsafe: Sql["unsafe"] = (text, parameters, options) => {
      // A statement without parameters takes one round trip in any case.
      const isRare = !parameters?.length || options?.prepare !== false || !this.isFrequent(text);
      return client.unsafe(text, parameters, isRare ? options : FREQUENT);
    };
    const own = new Map<string | symbol, unknown>(Object.entries({ unsafe, ...start }));
    return new Proxy(client, { get: (target, property) => own.get(property) ?? Reflect.get(target, property) });
  }
}

type Work = (tx: TransactionSql) => unknown;

const FREQUENT = { prepare: true };
