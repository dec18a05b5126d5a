/**
 * Builds statements that run with every request only once per pool, with placeholders for what differs. Drizzle
 * otherwise builds the text each time, which takes longer than the query itself. There is one entry per pool and
 * statement, which is dropped with the pool.
 */
import type { Db } from "./tx";

export function memoizePerDb<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>();
  return (db) => {
    const known = built.get(db) ?? build(db);
    built.set(db, known);
    return known;
  };
}
