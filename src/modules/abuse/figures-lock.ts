/** Serializes the reviews of one organization with each other and with all other manual changes of its figures. */
import type { OrgId } from "@/core/ids";
import { figuresBusy } from "@/http/errors";
import type { Drizzle } from "@/platform/db/client";
import { isLockTimeout } from "@/platform/db/faults";
import { boundLockWaits, takeLock } from "@/platform/db/locks";
import { statementsOn } from "@/platform/db/statements";
import type { Tx } from "@/platform/db/tx";

/** Throws 503 if a lock is not available within `LOCK_WAIT`. */
export async function withFiguresLock<Result>(
  db: Drizzle,
  orgId: OrgId,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await boundLockWaits(statementsOn(tx));
      await takeLock(tx, orgId, "figures");
      return work(tx);
    });
  } catch (error) {
    if (isLockTimeout(error)) throw figuresBusy();
    throw error;
  }
}
