/**
 * Statements that are asked with every request. Drizzle puts together a statement's text whenever it is asked, which costs
 * more than to ask Postgres; these are put together once for each pool, with placeholders for what differs. One entry a
 * pool and statement; it goes with the pool.
 */
import type { Db } from "./tx";

export function builtOnce<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>();
  return (db) => {
    const known = built.get(db) ?? build(db);
    built.set(db, known);
    return known;
  };
}
