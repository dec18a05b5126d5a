/**
 * Rows that a statement is to work on, brought in by COPY: as parameters Postgres takes longer to read them than to write
 * them. They stand in a temporary table of the connection, made when it is first needed and empty after each transaction.
 */
import { type BinaryRows, binaryRows } from "@/platform/db/binary-rows";
import type { CopyStatements, Statements } from "@/platform/db/statements";

/** Below, two statements more cost what reading parameters does. */
const ROWS_MIN = 128;

/** As much as a page has room for: a sketch that is read once is not worth cutting up and putting together again. */
const TOGETHER_BYTES = 8_160;

/** Whether it is worth while, and can be done. */
export const canStage = (tx: Statements | CopyStatements, rows: number): tx is CopyStatements =>
  "copy" in tx && tx.mayStage && rows >= ROWS_MIN;

/** Of a kind with `table`; answers where they stand. */
export async function stageRows<Each>(
  tx: CopyStatements,
  table: string,
  columns: readonly string[],
  all: readonly Each[],
  put: (rows: BinaryRows, each: Each) => void,
): Promise<string> {
  const staged = `staged_${table}`;
  await tx.run(
    `create temporary table if not exists ${staged} (like ${table} including storage)
     with (toast_tuple_target = ${TOGETHER_BYTES}) on commit delete rows`,
  );
  await tx.copy(
    `copy ${staged} (${columns.join(", ")}) from stdin (format binary)`,
    binaryRows(all, columns.length, put),
  );
  return staged;
}
