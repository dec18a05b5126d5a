/**
 * Stores the suspicious clicks of one organization. All queries use the partial index `clicks_abuse`, by
 * organization, verdict and id, so that neither reviewed nor unsuspicious clicks cost anything. The ids of clicks are
 * in the order of time.
 */
import { and, count, desc, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { REVIEW_STATUSES, type ReviewStatus } from "@/contract/analytics/abuse";
import type { OrgId } from "@/core/ids";
import { arrayLiteral } from "@/platform/db/array-literals";
import { clicks, domains, links } from "@/platform/db/schema";
import { ABUSE_SCORE_MIN } from "@/platform/db/schema/clicks";
import type { Db } from "@/platform/db/tx";
import { type ClickSelection, selectionCondition } from "./click-selection";

export type SuspectRow = typeof clicks.$inferSelect;
export type Review = Pick<SuspectRow, "verdict" | "reviewedBy" | "reviewedAt" | "reviewNote">;

export interface Suspect {
  click: SuspectRow;
  link: typeof links.$inferSelect;
  domain: typeof domains.$inferSelect;
}

export type SuspectLink = Pick<Suspect, "link" | "domain">;

/** Maximum number of clicks per status in the queue: the newest. Older ones appear as these are reviewed. */
const QUEUE_MAX = 10_000;
/** Maximum number of clicks that are grouped or counted. */
const GROUPED_MAX = 100_000;

export const statusOf = ({ verdict }: Pick<SuspectRow, "verdict">): ReviewStatus => verdict ?? "pending";

export async function findSuspect(db: Db, orgId: OrgId, clickId: string): Promise<Suspect | undefined> {
  const [suspect] = await withLinks(db, and(suspectsOf(orgId), ofAnyStatus, eq(clicks.id, clickId)));
  return suspect;
}

/**
 * Returns a page, newest first, and the total number. Neither goes beyond `QUEUE_MAX`, so that a long queue is not
 * slow.
 */
export async function listSuspects(db: Db, orgId: OrgId, asked: SuspectsAsked, page: number, limit: number) {
  const end = Math.min(page * limit, QUEUE_MAX);
  const start = Math.min((page - 1) * limit, end);
  const places = sql`(select occurred_at, id from ${newest(orgId, asked, end)} order by id desc
    limit ${end - start} offset ${start})`;
  const [suspects, [counted]] = await Promise.all([
    withLinks(db, and(eq(clicks.orgId, orgId), sql`(${clicks.occurredAt}, ${clicks.id}) in ${places}`)).orderBy(
      desc(clicks.id),
    ),
    db.select({ total: count() }).from(newest(orgId, asked, QUEUE_MAX)),
  ]);
  return { suspects, total: Math.min(counted?.total ?? 0, QUEUE_MAX) };
}

export interface SuspectsAsked {
  status: ReviewStatus | "all";
  chosen: ClickSelection;
}

export interface SuspectGroup {
  addressKey: bigint | null;
  link: SuspectLink | null;
  clicks: number;
  visitors: number;
  links: number;
  addresses: number;
  reasons: string[];
  score: number;
  firstAt: Date;
  lastAt: Date;
}

/**
 * Groups the newest `GROUPED_MAX` clicks by address or link, largest groups first, and returns the number of groups.
 */
export async function groupSuspects(
  db: Db,
  orgId: OrgId,
  asked: SuspectsAsked & { by: "address" | "link" },
  page: number,
  limit: number,
): Promise<{ groups: SuspectGroup[]; total: number }> {
  const key = sql.raw(asked.by === "address" ? "address_key" : "link_id");
  const instant = (text: string) => new Date(text);
  const rows = await db
    .select({
      key: sql<string | null>`${key}::text`.as("key"),
      clicks: count(),
      visitors: sql<number>`count(distinct visitor)::int`,
      links: sql<number>`count(distinct link_id)::int`,
      addresses: sql<number>`count(distinct address_key)::int`,
      reasons: sql<string>`string_agg(distinct array_to_string(bot_reasons, ','), ',')`,
      score: sql<number>`max(spam_score)::int`,
      firstAt: sql<Date>`min(occurred_at)`.mapWith(instant),
      lastAt: sql<Date>`max(occurred_at)`.mapWith(instant),
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(newest(orgId, asked, GROUPED_MAX))
    .groupBy(key)
    .orderBy(desc(count()), key)
    .limit(limit)
    .offset((page - 1) * limit);
  const found =
    asked.by === "link"
      ? await linksOf(
          db,
          orgId,
          rows.map((row) => row.key ?? ""),
        )
      : new Map<string, SuspectLink>();
  const groups = rows.map(({ key: text, total: _, reasons, ...figures }) => ({
    ...figures,
    addressKey: asked.by === "address" && text !== null ? BigInt(text) : null,
    link: found.get(text ?? "") ?? null,
    reasons: [...new Set(reasons.split(","))].sort(),
  }));
  // A page past the end has no row that could tell the total.
  const total = rows[0]?.total ?? (page > 1 ? await countGroups(db, orgId, asked, key) : 0);
  return { groups, total };
}

async function countGroups(db: Db, orgId: OrgId, asked: SuspectsAsked, key: SQL): Promise<number> {
  const groups = db
    .select({ key: sql`${key}`.as("key") })
    .from(newest(orgId, asked, GROUPED_MAX))
    .groupBy(key);
  const [counted] = await db.select({ total: count() }).from(groups.as("groups"));
  return counted?.total ?? 0;
}

async function linksOf(db: Db, orgId: OrgId, ids: string[]): Promise<Map<string, SuspectLink>> {
  const rows = await db
    .select({ link: links, domain: domains })
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(eq(links.orgId, orgId), inArray(links.id, ids)));
  return new Map(rows.map((row) => [row.link.id, row]));
}

/** True also for deleted links. */
export const hasLink = async (db: Db, orgId: OrgId, linkId: string): Promise<boolean> =>
  (await linksOf(db, orgId, [linkId])).size > 0;

/**
 * Selects the newest `max` clicks of each status, ordered exactly as the index is: otherwise Postgres does not
 * recognize that a condition `is null` preserves the order.
 */
function newest(orgId: OrgId, { status, chosen }: SuspectsAsked, max: number): SQL {
  const statuses = status === "all" ? REVIEW_STATUSES : [status];
  const branches = statuses.map(
    (each) => sql`(select occurred_at, id, link_id, address_key, visitor, bot_reasons, spam_score
      from clicks where ${and(suspectsOf(orgId), ofStatus(each), selectionCondition(chosen))}
      order by verdict desc, id desc limit ${max})`,
  );
  return sql`(${sql.join(branches, sql` union all `)}) as newest`;
}

export interface NextOf {
  status: ReviewStatus;
  /** Id of a click: only older clicks are returned, newest first. */
  after: string | undefined;
  limit: number;
}

export function nextChosen(
  tx: Db,
  orgId: OrgId,
  chosen: ClickSelection,
  { status, after, limit }: NextOf,
): Promise<SuspectRow[]> {
  const isLater = after === undefined ? undefined : lt(clicks.id, after);
  return tx
    .select()
    .from(clicks)
    .where(and(suspectsOf(orgId), ofStatus(status), selectionCondition(chosen), isLater))
    .orderBy(desc(clicks.verdict), desc(clicks.id))
    .limit(limit);
}

/** Counts at most `GROUPED_MAX` clicks. */
export async function countChosen(
  db: Db,
  orgId: OrgId,
  chosen: ClickSelection,
  statuses: readonly ReviewStatus[],
): Promise<number> {
  const counts = statuses.map(async (status) => {
    const [row] = await db.select({ total: count() }).from(newest(orgId, { status, chosen }, GROUPED_MAX));
    return row?.total ?? 0;
  });
  return Math.min(
    GROUPED_MAX,
    (await Promise.all(counts)).reduce((sum, each) => sum + each, 0),
  );
}

/** Without a note, clicks keep theirs. */
export type BulkReview = Omit<Review, "reviewNote"> & Partial<Pick<Review, "reviewNote">>;

export async function saveReviews(
  tx: Db,
  orgId: OrgId,
  reviewed: readonly SuspectRow[],
  review: BulkReview,
  isBot: boolean,
): Promise<void> {
  const times = arrayLiteral(reviewed.map(({ occurredAt }) => occurredAt.toISOString()));
  const ids = arrayLiteral(reviewed.map(({ id }) => id));
  const places = sql`(select * from unnest(${times}::text::timestamptz[], ${ids}::text::uuid[]))`;
  await tx
    .update(clicks)
    .set({ ...review, isBot })
    .where(and(eq(clicks.orgId, orgId), sql`(${clicks.occurredAt}, ${clicks.id}) in ${places}`));
}

export async function saveReview(tx: Db, orgId: OrgId, click: SuspectRow, review: Review, isBot: boolean) {
  const { occurredAt, id } = click;
  const [saved] = await tx
    .update(clicks)
    .set({ ...review, isBot })
    .where(and(eq(clicks.orgId, orgId), eq(clicks.occurredAt, occurredAt), eq(clicks.id, id)))
    .returning();
  if (!saved) throw new Error("A click in review could not be updated");
  return saved;
}

/** The condition must include the organization. */
const withLinks = (db: Db, orgIdAnd: SQL | undefined) =>
  db
    .select({ click: clicks, link: links, domain: domains })
    .from(clicks)
    .innerJoin(links, eq(links.id, clicks.linkId))
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(orgIdAnd);

/** Contains the number itself, because Postgres could not match a parameter to the partial index. */
const suspectsOf = (orgId: OrgId) =>
  and(eq(clicks.orgId, orgId), sql`${clicks.spamScore} >= ${sql.raw(String(ABUSE_SCORE_MIN))}`);

const ofStatus = (status: ReviewStatus): SQL =>
  status === "pending" ? isNull(clicks.verdict) : eq(clicks.verdict, status);

/** Lists each value, so that Postgres uses the index. */
const ofAnyStatus = or(isNull(clicks.verdict), inArray(clicks.verdict, ["confirmed", "dismissed"]));
