/**
 * Reads and writes the safety of links, and of bio pages through the same rows. Everything except the periodic checks
 * is limited to one organization.
 */
import { and, asc, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Safety } from "@/contract/links/safety";
import type { OrgId } from "@/core/ids";
import { domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface DueJudgement {
  id: string;
  orgId: OrgId;
}

const checkedColumns = {
  id: links.id,
  kind: links.kind,
  orgId: sql<OrgId>`${links.orgId}`,
  version: links.version,
  safety: links.safety,
  safetyCheckedAt: links.safetyCheckedAt,
  defaultUrl: links.defaultUrl,
  expiredUrl: links.expiredUrl,
  rules: links.rules,
  splitTargets: links.splitTargets,
  ctaOverlay: links.ctaOverlay,
};

export async function findJudgedLink(db: Db, orgId: OrgId, id: string) {
  const rows = await db
    .select({ ...checkedColumns, host: domains.hostname, prefix: links.prefixKey, slug: links.slugKey })
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(eq(links.orgId, orgId), eq(links.id, id), isNull(links.deletedAt)))
    .limit(1);
  return rows[0];
}
export type JudgedLink = NonNullable<Awaited<ReturnType<typeof findJudgedLink>>>;

export interface SafetyVerdict {
  safety: Safety;
  /** Null if the link must be checked again right away. */
  safetyCheckedAt: Date | null;
}

/**
 * Stores the verdict and returns the link's version. Returns undefined if the link was changed or checked since it was
 * read. The version is increased if the link starts or stops being served, which is all that a cached link contains of
 * its safety.
 */
export async function updateVerdict(tx: Db, read: JudgedLink, verdict: SafetyVerdict): Promise<number | undefined> {
  const statusChanged = read.safety.status !== verdict.safety.status;
  const servingChanged = isServed(read.safety) !== isServed(verdict.safety);
  const [row] = await tx
    .update(links)
    .set({
      ...verdict,
      ...(servingChanged && { version: sql`${links.version} + 1` }),
      // The database's clock: servers that missed changes query by it.
      ...(statusChanged && { updatedAt: sql`statement_timestamp()` }),
    })
    .where(
      and(
        eq(links.orgId, read.orgId),
        eq(links.id, read.id),
        eq(links.version, read.version),
        read.safetyCheckedAt === null ? isNull(links.safetyCheckedAt) : eq(links.safetyCheckedAt, read.safetyCheckedAt),
        isNull(links.deletedAt),
      ),
    )
    .returning({ version: links.version });
  return row?.version;
}

const isServed = ({ status }: Safety): boolean => status !== "unsafe";

export interface SafetyDue {
  /** What was checked before this is due. */
  before: Date;
  /** So is what was checked after this, by a clock that was wrong. */
  ahead: Date;
}

/**
 * Lists links of all organizations that were last checked before the given instant, starting with those never checked.
 */
export async function dueLinks(db: Db, { before, ahead }: SafetyDue, limit: number): Promise<DueJudgement[]> {
  const at = links.safetyCheckedAt;
  const due = await checkedAt(db, or(isNull(at), lte(at, before)), limit);
  // A separate query: one for both would read all links in between.
  return due.length < limit ? [...due, ...(await checkedAt(db, gt(at, ahead), limit - due.length))] : due;
}

const checkedAt = (db: Db, when: SQL | undefined, limit: number): Promise<DueJudgement[]> =>
  db
    .select({ id: links.id, orgId: checkedColumns.orgId })
    .from(links)
    .where(and(isNull(links.deletedAt), when))
    .orderBy(sql`${links.safetyCheckedAt} nulls first`)
    .limit(limit);

/** Lists links of all organizations by id, to compare them with a new blocklist. */
export function linksAfter(db: Db, id: string, limit: number) {
  return db
    .select(checkedColumns)
    .from(links)
    .where(and(isNull(links.deletedAt), gt(links.id, id)))
    .orderBy(asc(links.id))
    .limit(limit);
}
