/**
 * Opens the connection pools to Postgres. Each kind of work has its own pool, so that slow work cannot take the
 * connections of other work. Together they leave room for a few servers within the 100 connections that Postgres
 * allows by default.
 *
 * SQL is written in one of three ways:
 * - `db`, the query builder, for what a store reads and writes of its resource: the compiler checks each column.
 *   Frequent statements are prepared (`connection/frequent-statements.ts`) and take one round trip; rare ones take
 *   two.
 * - `sql`, tagged templates, for figures, lists of clicks, and sweeps over many rows. The plan matters there, so the
 *   statement is written as Postgres receives it. It is prepared, unless a pooler prevents that, and takes one round
 *   trip.
 * - Plain text (`Statements`), for the click writer, for what shares a transaction with COPY, and for DDL.
 *
 * A unit test checks each table and column that the last two name against the schema.
 */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { ClientSettings } from "./connection/connect";
import { FrequentStatements } from "./connection/frequent-statements";
import { cancelLongWaits } from "./connection/lock-waits";
import { RenewableClient } from "./connection/renewable";
import { RequestQueue } from "./connection/request-queue";
import { LOCK_WAITS_MS, POOL_SIZES, type Pool, REQUEST_PLACES } from "./pools";

const CONNECT_WAIT_S = 10;
/** Seconds after which unused connections close. */
const IDLE_S = 60;
/**
 * For pools that visitors and API requests wait for. Opening connections takes several times as long as most requests,
 * so they last for a person who reads for a while.
 */
const AWAITED_IDLE_S = 600;
const AWAITED: ReadonlySet<Pool> = new Set<Pool>(["requests", "replica", "replicaLinks"]);
const CLOSE_WAIT_S = 5;
/** OIDs of `date`, `time`, `timestamp` and `timestamptz`, and of `json` and `jsonb`. */
const TIME_TYPES = [1082, 1083, 1114, 1184];
const JSON_TYPES = [114, 3802];

export type Drizzle = PostgresJsDatabase;

export interface DatabaseOptions {
  pool: Pool;
  /** The name that `pg_stat_activity` shows. */
  name?: string;
  /** False behind a pooler that shares connections between transactions and cannot follow prepared statements. */
  isPrepared?: boolean;
  pin?: ClientSettings["pin"];
  /** Milliseconds that a statement waits for a lock. Tests shorten it. */
  lockWaitMs?: number;
}

export interface Database extends AsyncDisposable {
  /**
   * Takes instants as `Date` or text, and returns them as text in Postgres's form. Takes JSON (`sql.json(…)`) as
   * objects, arrays or text that is JSON already, and returns parsed values.
   */
  sql: Sql;
  db: Drizzle;
  /** Returns the number of open connections. */
  connections(): number;
  /** Where API requests wait for a connection; undefined for a pool that serves none. */
  queue: Pick<RequestQueue, "waiting" | "refused"> | undefined;
  /**
   * Cancels what has waited for a lock for too long: to be called regularly. Undefined if statements give up by
   * themselves, or may wait. `direct` leads past the pooler.
   */
  cancelLongWaits: ((direct: Sql) => Promise<void>) | undefined;
  /** Call this when Postgres is unreachable: running and waiting queries reject, and so do new ones until `renew`. */
  leave(): Promise<void>;
  /**
   * Replaces the connections; queries on the old ones get 5 s to finish. Resolves once Postgres has ended what it
   * still held open for earlier ones; rejects if it does not respond.
   */
  renew(): Promise<void>;
  /** Gives running queries 5 s to finish, then closes. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens no connection yet: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const { isPrepared, lockWaitMs = LOCK_WAITS_MS[options.pool] } = options;
  // Behind a pooler that shares connections, the next client would have this setting, too.
  const isBounded = isPrepared !== false;
  const client = new RenewableClient(
    url,
    {
      name: options.name ?? `waymark ${options.pool}`,
      connectionsMax: POOL_SIZES[options.pool],
      connectWaitS: CONNECT_WAIT_S,
      idleS: AWAITED.has(options.pool) ? AWAITED_IDLE_S : IDLE_S,
      isPrepared,
      lockWaitMs: isBounded ? lockWaitMs : undefined,
      pin: options.pin,
    },
    prepareForDrizzle,
  );
  const places = REQUEST_PLACES[options.pool];
  const queue = places === undefined ? undefined : new RequestQueue({ places });
  const sql = queue?.on(client.sql) ?? client.sql;
  return {
    sql,
    db: prepareForDrizzle(sql),
    connections: () => client.connections(),
    queue,
    cancelLongWaits:
      isBounded || lockWaitMs === undefined ? undefined : (direct) => cancelLongWaits(direct, client.name, lockWaitMs),
    leave: () => client.leave(),
    renew: () => client.renew(),
    close: () => client.close(CLOSE_WAIT_S),
    [Symbol.asyncDispose]: () => client.close(CLOSE_WAIT_S),
  };
}

/**
 * Drizzle, when it is created on a client, sets how that client reads and writes values, so each client needs this.
 */
function prepareForDrizzle(sql: Sql): Drizzle {
  const db = drizzle(new FrequentStatements().on(sql));
  acceptValues(sql);
  return db;
}

/**
 * Drizzle converts values to text itself and passes these types through, so a `Date` in a plain query would be an
 * error.
 */
function acceptValues(sql: Sql): void {
  for (const type of TIME_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  }
  for (const type of JSON_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  }
}
