/**
 * Links with `maxClicks` admit exactly so many human visits, over all servers and restarts: one conditional upsert in
 * Postgres decides. Bots, HEAD and prefetches look without taking a place. Rejects when Postgres is away.
 *
 * A place is the last thing a visit is given before its redirect and is never taken back: not when the click is shed, nor
 * when the answer does not arrive. So a link never lets in one visitor too many, and a crash costs at most the places of
 * the visits under way. To ask for room before the password spares a hash and tells nobody more than 410; a visitor who
 * finds room and no place after all gets 410 too.
 */
import { eq, lt, sql } from "drizzle-orm";
import type { LinkDefinition } from "@/core/routing/link";
import { linkAdmissions } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface ClickLimit {
  /** Tells whether this visit got one of the places. */
  admit(link: Pick<LinkDefinition, "id" | "orgId">, max: number): Promise<boolean>;
  /** Whether a place is left. */
  hasRoom(linkId: string, max: number): Promise<boolean>;
}

export const createClickLimit = (db: Db): ClickLimit => ({
  async admit({ id, orgId }, max) {
    const rows = await db
      .insert(linkAdmissions)
      .values({ linkId: id, orgId, admitted: 1 })
      .onConflictDoUpdate({
        target: linkAdmissions.linkId,
        set: { admitted: sql`${linkAdmissions.admitted} + 1` },
        setWhere: lt(linkAdmissions.admitted, max),
      })
      .returning({ admitted: linkAdmissions.admitted });
    return rows.length > 0;
  },
  async hasRoom(linkId, max) {
    const rows = await db.select().from(linkAdmissions).where(eq(linkAdmissions.linkId, linkId)).limit(1);
    return (rows[0]?.admitted ?? 0) < max;
  },
});
