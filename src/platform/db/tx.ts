/** What stores query through: the pool or a transaction on it. */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Drizzle } from "./client";

export type Db = PgDatabase<PgQueryResultHKT>;

/** A transaction on one of our own pools, which also returns the rows of plain SQL. */
export type Tx = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
