/**
 * Opens the connection pools to Postgres. Each kind of work has its own, so that a slow one cannot take the connections
 * of another; together they stay below the 100 that a Postgres allows by default, for a few servers side by side.
 *
 * SQL is written in one of three ways:
 * - `db`, the query builder, for what a store reads and writes of its resource: the compiler follows each column. What
 *   is asked often is prepared (`connection/frequent-statements.ts`) and takes one round trip; what is rare takes two.
 * - `sql`, tagged templates, for figures, lists of clicks, and sweeps over many rows. There the plan matters, so the
 *   statement reads as Postgres gets it. It is prepared, where a pooler allows that, and takes one round trip.
 * - Plain text (`Statements`), for the click writer, for what shares a transaction with COPY, and for DDL.
 * A unit test holds each table and column that the last two name against the schema.
 */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { FrequentStatements } from "./connection/frequent-statements";
import { RenewableClient } from "./connection/renewable";
import { POOL_SIZES, type Pool } from "./pools";

const CONNECT_WAIT_S = 10;
const IDLE_S = 60;
const CLOSE_WAIT_S = 5;
/** Postgres's numbers of `date`, `time`, `timestamp` and `timestamptz`, and of `json` and `jsonb`. */
const TIME_TYPES = [1082, 1083, 1114, 1184];
const JSON_TYPES = [114, 3802];

export type Drizzle = PostgresJsDatabase;

export interface DatabaseOptions {
  pool: Pool;
  /** What `pg_stat_activity` shows. */
  name?: string;
  /** False behind a pooler that shares connections between transactions and cannot follow prepared statements. */
  isPrepared?: boolean;
}

export interface Database extends AsyncDisposable {
  /**
   * As instants it takes `Date` or text, and gives text as Postgres writes it. As JSON (`sql.json(…)`) it takes objects,
   * arrays and text that is JSON already, and gives parsed values.
   */
  sql: Sql;
  db: Drizzle;
  /** How many it has open. */
  connections(): number;
  /** Postgres is away: what runs and waits rejects, and so does whatever comes until `renew`. */
  leave(): Promise<void>;
  /**
   * Goes on with new connections; queries on the old ones get 5 s to end. Resolves once Postgres has ended what it held
   * open for former ones; rejects when it does not answer.
   */
  renew(): Promise<void>;
  /** Lets running queries end for a while, then closes. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens nothing yet: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const client = new RenewableClient(
    url,
    {
      name: options.name ?? `waymark ${options.pool}`,
      connectionsMax: POOL_SIZES[options.pool],
      connectWaitS: CONNECT_WAIT_S,
      idleS: IDLE_S,
      isPrepared: options.isPrepared,
    },
    prepareForDrizzle,
  );
  return {
    sql: client.sql,
    db: prepareForDrizzle(client.sql),
    connections: () => client.connections(),
    leave: () => client.leave(),
    renew: () => client.renew(),
    close: () => client.close(CLOSE_WAIT_S),
    [Symbol.asyncDispose]: () => client.close(CLOSE_WAIT_S),
  };
}

/** Drizzle sets how a client reads and writes values when it is made on it, so that has to be done to each. */
function prepareForDrizzle(sql: Sql): Drizzle {
  const db = drizzle(new FrequentStatements().on(sql));
  acceptValues(sql);
  return db;
}

/** Drizzle makes its text and passes these types through, which would make a `Date` in a plain query an error. */
function acceptValues(sql: Sql): void {
  for (const type of TIME_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  }
  for (const type of JSON_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  }
}
