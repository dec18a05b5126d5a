/**
 * Records when a session or an access token was last used, at most once a minute each. The write runs beside the
 * request: the time is not worth waiting for. State: the credentials being written, at most as many as there are
 * requests in progress. A crash loses those writes, so a recorded time may be about a minute too old.
 */
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";

const NOTED_EVERY_MS = 60_000;

export interface CredentialUseOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** Stores the use, unless one after `notedBefore` is already stored. */
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
