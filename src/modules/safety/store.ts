/** Links, and bio pages by the same row, as their safety is looked at. Everything but what is due asks for one organization's. */
import { and, asc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
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
  /** Null: it is to be looked at again at once. */
  safetyCheckedAt: Date | null;
}

/**
 * What the link is now found to be, unless it has changed or been looked at since it was read: then undefined. Its
 * version grows when it begins or ceases to be served, which is all that a cached link knows of its safety.
 */
export async function updateVerdict(tx: Db, read: JudgedLink, verdict: SafetyVerdict): Promise<number | undefined> {
  const isOtherwise = read.safety.status !== verdict.safety.status;
  const isFlipped = isServed(read.safety) !== isServed(verdict.safety);
  const [row] = await tx
    .update(links)
    .set({
      ...verdict,
      ...(isFlipped && { version: sql`${links.version} + 1` }),
      // The database's clock, by which servers that missed changes ask for them.
      ...(isOtherwise && { updatedAt: sql`statement_timestamp()` }),
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

/** Lists links of all organizations that were not checked since, starting with those never checked. */
export function dueLinks(db: Db, before: Date, limit: number): Promise<DueJudgement[]> {
  return db
    .select({ id: links.id, orgId: checkedColumns.orgId })
    .from(links)
    .where(and(isNull(links.deletedAt), or(isNull(links.safetyCheckedAt), lte(links.safetyCheckedAt, before))))
    .orderBy(sql`${links.safetyCheckedAt} nulls first`)
    .limit(limit);
}

/** Links of all organizations by id, to be held against a new blocklist. */
export function linksAfter(db: Db, id: string, limit: number) {
  return db
    .select(checkedColumns)
    .from(links)
    .where(and(isNull(links.deletedAt), gt(links.id, id)))
    .orderBy(asc(links.id))
    .limit(limit);
}
