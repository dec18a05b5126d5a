/**
 * Claims jobs. Claims run one after the other, so that each sees what the previous one took: an organization's jobs
 * run one at a time, on any number of servers.
 *
 * A claim counts as an attempt until a step of the job commits. A job that has been claimed `IMPORT_ATTEMPTS_MAX`
 * times without making progress, for whatever reason, is given up.
 */
import { sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { AHEAD_MS_MAX } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import { imports } from "@/platform/db/schema";
import type { Tx } from "@/platform/db/tx";
import type { ImportJob } from "../store";
import { LEASE_S } from "./lease";

export const IMPORT_ATTEMPTS_MAX = 10;

const CLAIMS = "waymark import claims";

/**
 * Claims a job that nobody is working on and whose turn it is in its organization, or one that this holder left
 * unfinished: of these, the one that was worked on, or added, the longest ago. With `wanted`, only that job or one of
 * its organization, which may have to end first.
 */
export async function claimJob(db: Drizzle, holder: string, wanted?: string): Promise<ImportJob | undefined> {
  if (!(await hasDueImports(db, holder))) return undefined;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${CLAIMS}, 0))`);
    const [row] = await tx
      .update(imports)
      .set({
        status: "running",
        attempts: sql`${imports.attempts} + 1`,
        leasedBy: holder,
        leasedUntil: sql`now() + ${LEASE_S} * interval '1 second'`,
        updatedAt: sql`now()`,
      })
      .where(
        sql`${imports.id} = (
          select open.id from ${imports} as open
          where ${isDue(holder)} and (${wanted ?? null}::uuid is null
            or open.org_id = (select org_id from ${imports} where id = ${wanted ?? null}::uuid))
          order by open.updated_at, open.id limit 1 for update skip locked)`,
      )
      .returning();
    return row && { ...row, orgId: row.orgId as OrgId };
  });
}

/** True if there is a job to claim: for anybody, or for this holder. */
export async function hasDueImports(db: Pick<Tx, "execute">, holder?: string): Promise<boolean> {
  const found = await db.execute(sql`select open.id from ${imports} as open where ${isDue(holder)} limit 1`);
  return found.length > 0;
}

/** No lease and no pause is that long: the clock of Postgres was wrong when it began. */
const tooFarAhead = sql`now() + ${AHEAD_MS_MAX} * interval '1 millisecond'`;

/**
 * True of a job, named `open`, that nobody is working on or that this holder left unfinished, while no other of its
 * organization is running, or has begun to change links: those that come after it must find what it leaves.
 */
const isDue = (holder?: string) => sql`open.status in ('queued', 'running')
  and (open.leased_until is null or open.leased_until < now() or open.leased_by = ${holder ?? null}::uuid
    or open.leased_until > ${tooFarAhead})
  and not exists (select 1 from ${imports} as other where other.org_id = open.org_id and other.id <> open.id
    and (other.status = 'running' and other.leased_until between now() and ${tooFarAhead}
      or other.status in ('queued', 'running') and other.task <> 'verify' and other.cursor > 0 and open.cursor = 0))`;
