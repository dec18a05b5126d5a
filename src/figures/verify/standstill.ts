/** What a mending needs around itself: everybody else who writes figures stands still until its transaction ends. */
import type { TransactionSql } from "postgres";
import { takeFiguresLock } from "@/platform/db/locks";
import type { Statements } from "@/platform/db/statements";
import { stopWriters } from "../write/sketch-removal";

/** Verdicts of the organization first, then click writers: the order that verdicts have it in. */
export async function stopOthers(tx: Statements, orgId: string): Promise<void> {
  await takeFiguresLock(tx, orgId);
  await stopWriters(tx);
}

export const statementsOf = (tx: TransactionSql): Statements => ({
  async run<Row extends object>(statement: string, parameters: (string | number | null)[] = []) {
    return [...(await tx.unsafe<Row[]>(statement, parameters))];
  },
});
