/**
 * Links with `maxClicks` admit exactly that many human visits, over all servers and restarts: conditional upserts in
 * Postgres decide. Bots, HEAD requests and prefetches are only checked against the limit and take no place. Rejects if
 * Postgres is unreachable or takes too long.
 *
 * A place is the last thing a visit gets before its redirect, and it is never given back: not when the click is shed,
 * nor when the response does not arrive. So a link never admits one visitor too many, and a crash costs at most the
 * places of the visits in progress. Checking for a free place before the password saves a password hash and reveals
 * only the 410; a visitor for whom no place is left after all gets 410, too.
 *
 * Visitors who come to a link at the same time share a statement, since all of them need the same row, and statements
 * for all links take turns, so that crowds leave connections to API requests. `GET /api/v1/resolve` is no such request
 * here: it asks what visits ask, and they may share its statement. A visitor who has waited for too long leaves, and
 * takes no place if none has been asked for yet.
 */
import { eq, lte, sql } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import { limitConcurrency } from "@/platform/concurrency";
import { outsideRequests } from "@/platform/db/connection/request-queue";
import { gatherPieces } from "@/platform/db/gathering";
import { inTime } from "@/platform/db/in-time";
import { VISIT_PLACES } from "@/platform/db/pools";
import { linkAdmissions } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

type LimitedLink = Pick<LinkDefinition, "id" | "orgId">;

export interface ClickLimit {
  /** Takes a place and resolves to true, or to false if none is left. */
  admit(link: LimitedLink, max: number): Promise<boolean>;
  /** Resolves to whether a place is left. */
  hasRoom(linkId: string, max: number): Promise<boolean>;
}

interface Visitor {
  link: LimitedLink;
  max: number;
  hasLeft: boolean;
}

const GATHERED = {
  mayTryAlone: () => false,
  /** The time that each of them waits bounds their number. */
  piecesMax: Number.POSITIVE_INFINITY,
  patienceMs: 1_000,
};

export function createClickLimit(db: Db): ClickLimit {
  const inTurn = limitConcurrency({
    runningMax: VISIT_PLACES,
    waitingMax: Number.POSITIVE_INFINITY,
    refusal: () => new Error("Too many visits wait for a place"),
  });
  const admitTogether = gatherPieces<Visitor, boolean>({ ...GATHERED, doAll: admitAll });
  const admittedTo = gatherPieces<string, number>({ ...GATHERED, doAll: countOnce });
  return {
    async admit(link, max) {
      const visitor = { link, max, hasLeft: false };
      try {
        return await inTime(admitTogether(`${link.id} ${max}`, visitor));
      } finally {
        visitor.hasLeft = true;
      }
    },
    hasRoom: async (linkId, max) => (await inTime(admittedTo(linkId, linkId))) < max,
  };

  /** Gives places to those who came first. All visitors are those of one link. */
  async function admitAll(visitors: readonly Visitor[]): Promise<boolean[]> {
    const waiting = visitors.filter(({ hasLeft }) => !hasLeft);
    const [first] = waiting;
    const places = first ? await takePlaces(first.link, first.max, waiting.length) : 0;
    const admitted = new Set(waiting.slice(0, places));
    return visitors.map((visitor) => admitted.has(visitor));
  }

  /** Takes as many places as are left, at most `wanted`, and returns their number. */
  async function takePlaces(link: LimitedLink, max: number, wanted: number): Promise<number> {
    if (wanted <= max && (await inTurn(() => takesAll(link, max, wanted)))) return wanted;
    if (wanted === 1) return 0;
    const half = Math.floor(wanted / 2);
    const taken = await takePlaces(link, max, half);
    return taken < half ? taken : taken + (await takePlaces(link, max, wanted - half));
  }

  /** Takes all of these places or none. */
  async function takesAll({ id, orgId }: LimitedLink, max: number, places: number): Promise<boolean> {
    const taken = db
      .insert(linkAdmissions)
      .values({ linkId: id, orgId, admitted: places })
      .onConflictDoUpdate({
        target: linkAdmissions.linkId,
        set: { admitted: sql`${linkAdmissions.admitted} + ${places}::int` },
        // An imported link may have so many visits that a sum would be no number for Postgres.
        setWhere: lte(linkAdmissions.admitted, max - places),
      })
      .returning({ admitted: linkAdmissions.admitted });
    return (await taken.execute()).length > 0;
  }

  async function countOnce(asked: readonly string[]): Promise<number[]> {
    const [linkId = ""] = asked;
    const found = db.select().from(linkAdmissions).where(eq(linkAdmissions.linkId, linkId)).limit(1);
    const [row] = await outsideRequests(() => inTurn(() => found.execute()));
    return asked.map(() => row?.admitted ?? 0);
  }
}
