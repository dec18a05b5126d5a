/**
 * Prepares what the query builder asks again and again: a connection parses it once, and it takes one round trip instead of
 * two.
 *
 * It counts texts, because the builder makes a new one for each number of values or rows in a request. A page of a list is
 * planned each time: the best plan depends on whose list it is.
 *
 * Bounds: `PREPARED_MAX` texts for each pool, of `CHARACTERS_MAX` at most. Any other text is asked unprepared.
 */
import type { Sql, TransactionSql } from "postgres";

/** Each connection prepares for itself: its first time takes two round trips, and what it prepared takes memory in Postgres. */
const OFTEN = 10;
const PREPARED_MAX = 300;
const COUNTED_MAX = 2_000;
const CHARACTERS_MAX = 5_000;
const IS_PAGE = /\border by\b.*\blimit\b|\boffset\b/is;

export class FrequentStatements {
  readonly #prepared = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** Counts the text, and says whether it is to be prepared. */
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

  /** The client for Drizzle, which asks by `unsafe` alone, within transactions too. */
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
      // What has no parameters takes one round trip as it is.
      const isRare = !parameters?.length || options?.prepare !== false || !this.isFrequent(text);
      return client.unsafe(text, parameters, isRare ? options : FREQUENT);
    };
    const own = new Map<string | symbol, unknown>(Object.entries({ unsafe, ...start }));
    return new Proxy(client, { get: (target, property) => own.get(property) ?? Reflect.get(target, property) });
  }
}

type Work = (tx: TransactionSql) => unknown;

const FREQUENT = { prepare: true };
