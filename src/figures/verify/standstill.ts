/** What a repair of figures relies on: everything else that writes them waits until its transaction ends. */
import type { TransactionSql } from "postgres";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { stopWriters } from "../write/sketch-removal";

/** Holds up the organization's verdicts first, then click writers: verdicts take these locks in the same order. */
export async function lockOutWriters(tx: Statements, orgId: string): Promise<void> {
  await takeFiguresLock(tx, orgId);
  await stopWriters(tx);
}

export const statementsOf = (tx: TransactionSql): Statements => ({
  async run<Row extends object>(statement: string, parameters: (string | number | null)[] = []) {
    return [...(await tx.unsafe<Row[]>(statement, parameters))];
  },
});
