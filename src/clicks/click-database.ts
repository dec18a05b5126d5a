/**
 * The worker's way to Postgres: one connection to read and one for transactions, apart from all others. After any fault,
 * and when something takes longer than 30 s, both clients are thrown away and others made: nothing is known of a
 * connection that failed, not even whether its commit arrived. That is for the caller to find out.
 *
 * Transactions are driven by hand. The driver's own `begin` would send its rollback through a connection that the server
 * has closed, which throws where nobody catches it and loses the connection's place in the pool.
 */
import postgres, { type ReservedSql, type Sql } from "postgres";
import { copyRows } from "./postgres-text";

export type Parameter = string | number | null;

export interface BatchTransaction {
  run<Row extends object>(statement: string, parameters?: Parameter[]): Promise<Row[]>;
  copy(statement: string, rows: string): Promise<void>;
}

export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
}

interface Client {
  sql: Sql;
  isClosed: boolean;
}

const WORK_MS_MAX = 30_000;
const CONNECT_TIMEOUT_S = 5;
/** The caller waits between tries, so that the driver need not. */
const RECONNECT_AFTER_S = 0.05;

export class ClickDatabase {
  readonly #url: string;
  readonly #workMsMax: number;
  #reader: Client;
  #writer: Client;

  constructor(url: string, workMsMax = WORK_MS_MAX) {
    this.#url = url;
    this.#workMsMax = workMsMax;
    this.#reader = connect(url);
    this.#writer = connect(url);
  }

  /** For single statements, within `inTime`; another one after every fault. */
  get reader(): Sql {
    return this.#reader.sql;
  }

  /** Commits what `work` does. When this rejects, nothing of it was done, unless the fault came with the commit. */
  async transaction<Result>(work: (tx: BatchTransaction) => Promise<Result>): Promise<Result> {
    const client = this.#writer;
    return this.inTime(async () => {
      const connection = await client.sql.reserve();
      const tx = transactionOn(client, connection);
      await tx.run("begin");
      const result = await work(tx);
      await tx.run("commit");
      connection.release();
      return result;
    });
  }

  /** Postgres may also be silent: then the clients are thrown away under whoever waits. */
  async inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.reset(), this.#workMsMax);
    try {
      return await work();
    } catch (error) {
      this.reset();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends whatever is under way. */
  reset(): void {
    const old = [this.#reader, this.#writer];
    this.#reader = connect(this.#url);
    this.#writer = connect(this.#url);
    for (const client of old) discard(client);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader, this.#writer].map(({ sql }) => sql.end({ timeout: 1 })));
  }
}

function connect(url: string): Client {
  const sql = postgres(url, {
    max: 1,
    prepare: false,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => RECONNECT_AFTER_S,
    connection: { application_name: "waymark clicks" },
    onnotice: () => undefined,
    onclose: () => {
      client.isClosed = true;
    },
  });
  const client: Client = { sql, isClosed: false };
  return client;
}

function discard(client: Client): void {
  client.isClosed = true;
  // Its end is nobody's concern any more; what it was doing rejects where it is awaited.
  client.sql.end({ timeout: 0 }).catch(() => undefined);
}

function transactionOn(client: Client, connection: ReservedSql): BatchTransaction {
  client.isClosed = false;
  const checkOpen = () => {
    if (client.isClosed) throw new ConnectionLostError("The connection was closed within a transaction.");
  };
  return {
    run: async (statement, parameters = []) => {
      checkOpen();
      return connection.unsafe(statement, parameters);
    },
    copy: async (statement, rows) => {
      checkOpen();
      await copyRows(connection, statement, rows);
    },
  };
}

/** Data (22), integrity (23) and size (54) faults come back however often they are tried; all others may pass. */
export function isDataFault(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^(?:22|23|54)/.test(error.code);
}
