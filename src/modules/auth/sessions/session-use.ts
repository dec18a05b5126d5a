/**
 * When a session was last used: noted beside the request, at most once a minute a session; telling it is not worth a wait.
 * State: the sessions that are being noted, as many as there are requests under way. A crash loses a minute of it.
 */
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import type { Log } from "@/platform/telemetry/log";
import { noteSessionUse, type SessionRow } from "./store";

const NOTED_EVERY_MS = 60_000;

export type SessionUse = ReturnType<typeof createSessionUse>;

export function createSessionUse({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  const underWay = new Set<string>();
  return {
    note({ id, lastUsedAt }: Pick<SessionRow, "id" | "lastUsedAt">): void {
      const now = clock();
      const notedBefore = now - NOTED_EVERY_MS;
      if ((lastUsedAt && lastUsedAt.getTime() > notedBefore) || underWay.has(id)) return;
      underWay.add(id);
      noteSessionUse(db, id, new Date(now), new Date(notedBefore))
        .catch((error) => log.warn("could not record session use", { error }))
        .finally(() => underWay.delete(id));
    },
  };
}
