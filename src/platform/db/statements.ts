/** Runs text with `$1`, `$2`, … within a transaction of drizzle's, for code that writes its SQL itself. */
import { type SQL, sql } from "drizzle-orm";
import { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Db, Tx } from "./tx";

export interface Statements {
  run<Row extends object>(statement: string, parameters?: (string | number | null)[]): Promise<Row[]>;
}

/** The same where rows can be brought in by COPY, too, and statements are sent behind each other. */
export interface CopyStatements extends Statements {
  /**
   * Sends a statement behind those before it, whose answers need not have come. Its own has not to be waited for: when it
   * fails, so does the transaction. `judge` sees the answer before rows are copied or anything is committed, and may throw.
   */
  send<Row extends object>(
    statement: string,
    parameters?: (string | number | null)[],
    judge?: (rows: Row[]) => void,
  ): Promise<Row[]>;
  /** Resolves once the rows are sent. A chunk is done with when the next is asked for. */
  copy(statement: string, chunks: Iterable<string | Uint8Array>): Promise<void>;
  /** Whether the role may make temporary tables, which an operator can forbid. */
  mayStage: boolean;
}

/** `on` may be the pool, too: then each statement stands alone. */
export const statementsOn = (on: Pick<Tx, "execute">): Statements => ({
  async run<Row extends object>(statement: string, parameters: (string | number | null)[] = []) {
    const rows = await on.execute<Record<string, unknown>>(bound(statement, parameters));
    return [...rows] as Row[];
  },
});

/**
 * The same for texts that are asked often and never differ: each connection parses and plans them once, unless a pooler
 * stands before Postgres.
 */
export function preparedOn(on: Pick<Db, "_">): Statements {
  const { session } = on._;
  if (!(session instanceof PostgresJsSession))
    throw new Error("Statements are prepared on a pool or a transaction of ours");
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
