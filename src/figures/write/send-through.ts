import type { CopyStatements, Statements } from "@/platform/db/statements";

/**
 * Sends the statement and waits for the response only if `tx` requires it. In a transaction that can send ahead, an
 * error fails the whole transaction.
 */
export async function sendThrough(
  tx: Statements | CopyStatements,
  statement: string,
  parameters?: (string | number | null)[],
): Promise<void> {
  if ("send" in tx) void tx.send(statement, parameters);
  else await tx.run(statement, parameters);
}
