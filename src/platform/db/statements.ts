/** Runs text with `$1`, `$2`, … within a Drizzle transaction, for hand-written SQL. */
import { type SQL, sql } from "drizzle-orm";
import { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Db, Tx } from "./tx";

export interface Statements {
  run<Row extends object>(statement: string, parameters?: (string | number | null)[]): Promise<Row[]>;
}

/** Statements that can also load rows by COPY and be sent without waiting for each other. */
export interface CopyStatements extends Statements {
  /**
   * Sends a statement without waiting for the responses to those before it. Its own response need not be awaited: if
   * it fails, so does the transaction. `judge` receives the rows before anything is copied or committed, and may
   * throw.
   */
  send<Row extends object>(
    statement: string,
    parameters?: (string | number | null)[],
    judge?: (rows: Row[]) => void,
  ): Promise<Row[]>;
  /** Resolves once the rows are sent. A chunk is no longer needed when the next one is requested. */
  copy(statement: string, chunks: Iterable<string | Uint8Array>): Promise<void>;
  /** Whether the role may create temporary tables, which an operator can forbid. */
  mayStage: boolean;
}

/** `on` may also be the pool; then each statement is its own transaction. */
export const statementsOn = (on: Pick<Tx, "execute">): Statements => ({
  async run<Row extends object>(statement: string, parameters: (string | number | null)[] = []) {
    const rows = await on.execute<Record<string, unknown>>(bound(statement, parameters));
    return [...rows] as Row[];
  },
});

/**
 * Does the same for frequent statements whose text never varies: each connection parses and plans them once, unless
 * there is a pooler in front of Postgres.
 */
export function preparedStatementsOn(on: Pick<Db, "_">): Statements {
  const { session } = on._;
  if (!(session instanceof PostgresJsSession))
    throw new Error("Prepared statements require one of our pools or transactions");
  const client: Sql = session.client;
  return {
    run: async <Row extends object>(statement: string, parameters: (string | number | null)[] = []) => [
      ...(await client.unsafe<Row[]>(statement, parameters, { prepare: true })),
    ],
  };
}

function bound(statement: string, parameters: (string | number | null)[]): SQL {
  const parts = statement.split(/\$(\d+)/).map((part, index) => {
    return index % 2 === 0 ? sql.raw(part) : sql`${parameters[Number(part) - 1]}`;
  });
  return sql.join(parts);
}
