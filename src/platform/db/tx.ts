/** What stores query through: the pool or a transaction on it. */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Drizzle } from "./client";
import type * as schema from "./schema";

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

/** A transaction on our own pool, which also gives the rows of plain SQL. */
export type Tx = Parameters<Parameters<Drizzle["transaction"]>[0]>[0];
