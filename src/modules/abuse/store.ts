/**
 * Suspicious clicks of one organization. All queries go through the partial index `clicks_abuse`, by the organization, the
 * verdict and the id, so that neither reviewed clicks nor all the others cost anything; ids of clicks are in the order of
 * time.
 */
import { and, count, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { REVIEW_STATUSES, type ReviewStatus } from "@/contract/abuse";
import type { OrgId } from "@/core/ids";
import { figuresTurn } from "@/platform/db/figures-turn";
import { clicks, domains, links } from "@/platform/db/schema";
import { ABUSE_SCORE_MIN } from "@/platform/db/schema/clicks";
import type { Db } from "@/platform/db/tx";

export type ClickRow = typeof clicks.$inferSelect;
export type Review = Pick<ClickRow, "verdict" | "reviewedBy" | "reviewedAt" | "reviewNote">;

export interface Suspect {
  click: ClickRow;
  link: typeof links.$inferSelect;
  domain: typeof domains.$inferSelect;
}

/** Of one status the queue shows the newest, and the others as these are reviewed. */
const QUEUE_MAX = 10_000;
const LOCK_WAIT = "5s";

export const statusOf = ({ verdict }: Pick<ClickRow, "verdict">): ReviewStatus => verdict ?? "pending";

/** Waits for other reviews of the organization, and holds off further ones until the transaction ends. */
export async function takeTurn(tx: Db, orgId: OrgId): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${LOCK_WAIT}, true)`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${figuresTurn(orgId)}, 0))`);
}

export async function findSuspect(db: Db, orgId: OrgId, clickId: string): Promise<Suspect | undefined> {
  const [suspect] = await withLinks(db, and(suspectsOf(orgId), ofAnyStatus, eq(clicks.id, clickId)));
  return suspect;
}

/** Newest first, and how many there are: neither goes past `QUEUE_MAX`, so that no queue is slow for being long. */
export async function listSuspects(db: Db, orgId: OrgId, status: ReviewStatus | "all", page: number, limit: number) {
  const end = Math.min(page * limit, QUEUE_MAX);
  const start = Math.min((page - 1) * limit, end);
  const places = sql`(select occurred_at, id from ${newest(orgId, status, end)} order by id desc
    limit ${end - start} offset ${start})`;
  const [suspects, [counted]] = await Promise.all([
    withLinks(db, and(eq(clicks.orgId, orgId), sql`(${clicks.occurredAt}, ${clicks.id}) in ${places}`)).orderBy(
      desc(clicks.id),
    ),
    db.select({ total: count() }).from(newest(orgId, status, QUEUE_MAX)),
  ]);
  return { suspects, total: Math.min(counted?.total ?? 0, QUEUE_MAX) };
}

/** So many of each status, read in the very order of the index: of a condition `is null` Postgres does not see it. */
function newest(orgId: OrgId, status: ReviewStatus | "all", max: number): SQL {
  const statuses = status === "all" ? REVIEW_STATUSES : [status];
  const branches = statuses.map(
    (each) => sql`(select occurred_at, id from clicks where ${and(suspectsOf(orgId), ofStatus(each))}
      order by verdict desc, id desc limit ${max})`,
  );
  return sql`(${sql.join(branches, sql` union all `)}) as newest`;
}

export async function saveReview(tx: Db, orgId: OrgId, click: ClickRow, review: Review, isBot: boolean) {
  const { occurredAt, id } = click;
  const [saved] = await tx
    .update(clicks)
    .set({ ...review, isBot })
    .where(and(eq(clicks.orgId, orgId), eq(clicks.occurredAt, occurredAt), eq(clicks.id, id)))
    .returning();
  if (!saved) throw new Error("A click in review could not be updated");
  return saved;
}

/** The condition names the organization. */
const withLinks = (db: Db, orgIdAnd: SQL | undefined) =>
  db
    .select({ click: clicks, link: links, domain: domains })
    .from(clicks)
    .innerJoin(links, eq(links.id, clicks.linkId))
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(orgIdAnd);

/** Said with the very number, since a parameter could not be matched to the index. */
const suspectsOf = (orgId: OrgId) =>
  and(eq(clicks.orgId, orgId), sql`${clicks.spamScore} >= ${sql.raw(String(ABUSE_SCORE_MIN))}`);

const ofStatus = (status: ReviewStatus): SQL =>
  status === "pending" ? isNull(clicks.verdict) : eq(clicks.verdict, status);

/** Each of them spelled out, for the index. */
const ofAnyStatus = or(isNull(clicks.verdict), inArray(clicks.verdict, ["confirmed", "dismissed"]));
