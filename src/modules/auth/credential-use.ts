/**
 * When a session or an access token was last used: noted beside the request, at most once a minute each; telling it is not
 * worth a wait. State: those that are being noted, as many as there are requests under way. A crash loses a minute of it.
 */
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";

const NOTED_EVERY_MS = 60_000;

export interface CredentialUseOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** Writes it down, unless a use after `notedBefore` is noted already. */
  write(db: Db, id: string, now: Date, notedBefore: Date): Promise<unknown>;
}

interface Used {
  id: string;
  lastUsedAt: Date | null;
}

export type CredentialUse = ReturnType<typeof createCredentialUse>;

export function createCredentialUse({ db, clock, log, write }: CredentialUseOptions) {
  const underWay = new Set<string>();
  return {
    note({ id, lastUsedAt }: Used): void {
      const now = clock();
      const notedBefore = now - NOTED_EVERY_MS;
      if ((lastUsedAt && lastUsedAt.getTime() > notedBefore) || underWay.has(id)) return;
      underWay.add(id);
      write(db, id, new Date(now), new Date(notedBefore))
        .catch((error) => log.warn("could not record the use of a credential", { error }))
        .finally(() => underWay.delete(id));
    },
  };
}
