import type { CopyStatements, Statements } from "@/platform/db/statements";

/** Resolves when the statement has been answered, or is sent where its answer need not be waited for. */
export async function sendThrough(
  tx: Statements | CopyStatements,
  statement: string,
  parameters?: (string | number | null)[],
): Promise<void> {
  if ("send" in tx) void tx.send(statement, parameters);
  else await tx.run(statement, parameters);
}
