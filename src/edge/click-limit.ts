/**
 * Links with `maxClicks` admit exactly that many human visits, over all servers and restarts: one conditional upsert
 * in Postgres decides. Bots, HEAD requests and prefetches are only checked against the limit and take no place.
 * Rejects if Postgres is unreachable or takes too long.
 *
 * Visits take turns, so that a crowd leaves connections to API requests. One that Postgres keeps waiting for too long
 * leaves the queue.
 *
 * A place is the last thing a visit gets before its redirect, and it is never given back: not when the click is shed,
 * nor when the response does not arrive. So a link never admits one visitor too many, and a crash costs at most the
 * places of the visits in progress. Checking for a free place before the password saves a password hash and reveals
 * only the 410; a visitor for whom no place is left after all gets 410, too.
 */
import { eq, lt, sql } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import { limitConcurrency } from "@/platform/concurrency";
import { inTime } from "@/platform/db/in-time";
import { VISIT_PLACES } from "@/platform/db/pools";
import { linkAdmissions } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface ClickLimit {
  /** Takes a place and resolves to true, or to false if none is left. */
  admit(link: Pick<LinkDefinition, "id" | "orgId">, max: number): Promise<boolean>;
  /** Resolves to whether a place is left. */
  hasRoom(linkId: string, max: number): Promise<boolean>;
}

export function createClickLimit(db: Db): ClickLimit {
  const inTurn = createTurns();
  return {
    async admit({ id, orgId }, max) {
      const taken = db
        .insert(linkAdmissions)
        .values({ linkId: id, orgId, admitted: 1 })
        .onConflictDoUpdate({
          target: linkAdmissions.linkId,
          set: { admitted: sql`${linkAdmissions.admitted} + 1` },
          setWhere: lt(linkAdmissions.admitted, max),
        })
        .returning({ admitted: linkAdmissions.admitted });
      return (await inTurn(() => taken.execute())).length > 0;
    },
    async hasRoom(linkId, max) {
      const found = db.select().from(linkAdmissions).where(eq(linkAdmissions.linkId, linkId)).limit(1);
      const rows = await inTurn(() => found.execute());
      return (rows[0]?.admitted ?? 0) < max;
    },
  };
}

/** Visitors are not refused for their number: the time bounds how many wait. */
const WAITING_MAX = Number.POSITIVE_INFINITY;

function createTurns() {
  const refusal = () => new Error("Too many visits wait for a place");
  const limited = limitConcurrency({ runningMax: VISIT_PLACES, waitingMax: WAITING_MAX, refusal });
  return async <Rows>(ask: () => Promise<Rows>): Promise<Rows> => {
    const left = new AbortController();
    try {
      return await inTime(limited(ask, left.signal));
    } finally {
      left.abort();
    }
  };
}
