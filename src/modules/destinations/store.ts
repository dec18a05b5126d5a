/** Reads links' destinations, and stores the results of checking them. */
import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { CtaOverlay } from "@/contract/links/link-pages";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import type { OrgId } from "@/core/ids";
import type { CheckState } from "@/core/insights/broken/destination-health";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import { destinationChecks, domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export interface CheckedLink {
  kind: "link" | "bio_page";
  version: number;
  defaultUrl: string;
  expiresAt: Date | null;
  expiredUrl: string | null;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  ctaOverlay: CtaOverlay | null;
}

/** Returns undefined if the link was deleted. */
export async function findCheckedLink(db: Db, orgId: OrgId, id: string): Promise<CheckedLink | undefined> {
  const { version, kind, defaultUrl, expiresAt, expiredUrl, rules, splitTargets, ctaOverlay } = links;
  const [link] = await db
    .select({ version, kind, defaultUrl, expiresAt, expiredUrl, rules, splitTargets, ctaOverlay })
    .from(links)
    .where(and(eq(links.orgId, orgId), eq(links.id, id), isNull(links.deletedAt)));
  return link;
}

/** Returns those of the hosts that this service serves. */
export async function servedAmong(db: Db, hosts: readonly string[]): Promise<Set<string>> {
  const { hostname, isVerified } = domains;
  const rows = await db
    .select({ hostname })
    .from(domains)
    .where(and(inArray(hostname, [...hosts]), isVerified));
  return new Set(rows.map(({ hostname }) => hostname));
}

export type KnownCheck = CheckState & { url: string };

/** Returns the checks by link. Links without any are absent. */
export async function readChecks(db: Db, orgId: OrgId, linkIds: readonly string[]): Promise<Map<string, KnownCheck[]>> {
  const { linkId, url, status, httpStatus, error, failures, failingSince, checkedAt } = destinationChecks;
  const rows = await db
    .select({ linkId, url, status, httpStatus, error, failures, failingSince, checkedAt })
    .from(sql`unnest(${arrayLiteral(linkIds)}::text::uuid[]) as asked (id)`)
    .innerJoin(destinationChecks, eq(linkId, sql`asked.id`))
    .where(eq(destinationChecks.orgId, orgId))
    .orderBy(asc(url));
  const known = rows.map((row) => ({
    ...row,
    failingSince: row.failingSince?.getTime() ?? null,
    checkedAt: row.checkedAt.getTime(),
  }));
  return Map.groupBy(known, ({ linkId }) => linkId);
}

export interface KeptChecks {
  orgId: OrgId;
  linkId: string;
  /** The version that was read. */
  version: number;
  /** The time at which the link counts as checked. */
  checkedAt: Date;
  /** When to check the link again although nobody visits it; null for never. */
  askAt: Date | null;
  checks: readonly KnownCheck[];
}

/**
 * Replaces the results of the link's destinations. Resolves to false, and writes nothing, if the link was changed
 * since it was read.
 */
export function replaceChecks(
  db: Drizzle,
  { orgId, linkId, version, checkedAt, askAt, checks }: KeptChecks,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const updated = await tx
      .update(links)
      .set({ destinationsCheckedAt: checkedAt, destinationsAskAt: askAt })
      .where(and(eq(links.orgId, orgId), eq(links.id, linkId), eq(links.version, version), isNull(links.deletedAt)))
      .returning({ id: links.id });
    if (updated.length === 0) return false;
    await tx.delete(destinationChecks).where(eq(destinationChecks.linkId, linkId));
    if (checks.length > 0)
      await tx.insert(destinationChecks).values(checks.map((check) => rowOf(orgId, linkId, check)));
    return true;
  });
}

const rowOf = (orgId: OrgId, linkId: string, check: KnownCheck) => ({
  ...check,
  linkId,
  orgId,
  urlHash: new Bun.CryptoHasher("sha256").update(check.url).digest(),
  failingSince: check.failingSince === null ? null : new Date(check.failingSince),
  checkedAt: new Date(check.checkedAt),
});
