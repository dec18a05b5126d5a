/**
 * The connection pools to Postgres. Each kind of work has its own, so that a slow one cannot take the connections of
 * another; together they stay below the 100 that a Postgres allows by default, for a few servers side by side.
 */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "./schema";

/** Connections at most, by the kind of work. */
export const POOL_SIZES = { requests: 10, clicks: 2, workers: 4, listener: 1, tool: 1 } as const;

const CONNECT_WAIT_S = 10;
const IDLE_S = 60;
const CLOSE_WAIT_S = 5;
/** Postgres's numbers of `date`, `time`, `timestamp` and `timestamptz`, and of `json` and `jsonb`. */
const TIME_TYPES = [1082, 1083, 1114, 1184];
const JSON_TYPES = [114, 3802];

export type Pool = keyof typeof POOL_SIZES;
export type Drizzle = PostgresJsDatabase<typeof schema>;

export interface DatabaseOptions {
  pool: Pool;
  /** What `pg_stat_activity` shows. */
  name?: string;
  /** False behind a pooler that shares connections between transactions and cannot follow prepared statements. */
  isPrepared?: boolean;
}

export interface Database {
  /**
   * As instants it takes `Date` or text, and gives text as Postgres writes it. As JSON (`sql.json(…)`) it takes objects,
   * arrays and text that is JSON already, and gives parsed values.
   */
  sql: postgres.Sql;
  db: Drizzle;
  /** Lets running queries end for a while, then closes. Safe to repeat. */
  close(): Promise<void>;
}

/** Opens nothing yet: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const sql = postgres(url, {
    max: POOL_SIZES[options.pool],
    prepare: options.isPrepared ?? true,
    connect_timeout: CONNECT_WAIT_S,
    idle_timeout: options.pool === "listener" ? undefined : IDLE_S,
    connection: { application_name: options.name ?? `waymark ${options.pool}` },
    onnotice: () => undefined,
  });
  const db = drizzle(sql, { schema });
  acceptValues(sql);
  return { sql, db, close: () => sql.end({ timeout: CLOSE_WAIT_S }) };
}

/** Drizzle makes its text and passes these types through, which would make a `Date` in a plain query an error. */
function acceptValues(sql: postgres.Sql): void {
  for (const type of TIME_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  }
  for (const type of JSON_TYPES) {
    sql.options.serializers[type] = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  }
}
