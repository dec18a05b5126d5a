/** Stores the domains of one organization. The shared domain belongs to none, so nothing here finds it. */
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Certificate } from "@/contract/domains";
import type { OrgId } from "@/core/ids";
import { beginsWithOwnPath } from "@/platform/db/own-paths";
import { domains, linkRevisions, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type DomainRow = typeof domains.$inferSelect;
export type DomainValues = Partial<Omit<typeof domains.$inferInsert, "id" | "orgId" | "hostname" | "createdAt">>;

const one = (orgId: OrgId, id: string) => and(eq(domains.orgId, orgId), eq(domains.id, id));

/** Lists the newest first. One that was added again has its former id. */
export const listDomains = (db: Db, orgId: OrgId, page: number, limit: number): Promise<DomainRow[]> =>
  db
    .select()
    .from(domains)
    .where(eq(domains.orgId, orgId))
    .orderBy(desc(domains.createdAt), desc(domains.id))
    .limit(limit)
    .offset((page - 1) * limit);

export async function countDomains(db: Db, orgId: OrgId): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(domains).where(eq(domains.orgId, orgId));
  return counted?.total ?? 0;
}

export async function findDomain(db: Db, orgId: OrgId, id: string): Promise<DomainRow | undefined> {
  return (await db.select().from(domains).where(one(orgId, id)).limit(1))[0];
}

/** Finds a domain and locks it until the transaction ends, so that no link can be created on it meanwhile. */
export async function lockDomain(tx: Db, orgId: OrgId, id: string): Promise<DomainRow | undefined> {
  return (await tx.select().from(domains).where(one(orgId, id)).for("update").limit(1))[0];
}

/** Returns undefined if the organization already has a domain with this host name. */
export async function insertDomainUnlessTaken(
  tx: Db,
  orgId: OrgId,
  values: Pick<
    typeof domains.$inferInsert,
    "id" | "hostname" | "isCaseSensitive" | "verificationToken" | "createdAt" | "updatedAt"
  >,
): Promise<DomainRow | undefined> {
  const target = [domains.orgId, domains.hostname];
  const [row] = await tx
    .insert(domains)
    .values({ ...values, orgId })
    .onConflictDoNothing({ target })
    .returning();
  return row;
}

export async function updateDomain(tx: Db, orgId: OrgId, id: string, values: DomainValues): Promise<DomainRow> {
  const [row] = await tx.update(domains).set(values).where(one(orgId, id)).returning();
  if (!row) throw new Error("A locked domain could not be updated");
  return row;
}

/** Sets when the domain was last checked, which determines when it is due again. */
export const setCheckedAt = (db: Db, orgId: OrgId, id: string, checkedAt: Date) =>
  db.update(domains).set({ checkedAt }).where(one(orgId, id));

/** Returns undefined if the domain was deleted. */
export async function updateCertificate(
  db: Db,
  orgId: OrgId,
  id: string,
  certificate: Certificate,
): Promise<DomainRow | undefined> {
  return (await db.update(domains).set({ certificate }).where(one(orgId, id)).returning())[0];
}

export const otherPrimaries = (tx: Db, orgId: OrgId, id: string): Promise<DomainRow[]> =>
  tx
    .select()
    .from(domains)
    .where(and(eq(domains.orgId, orgId), eq(domains.isPrimary, true), ne(domains.id, id)))
    .for("update");

export async function isVerifiedElsewhere(db: Db, orgId: OrgId, hostname: string): Promise<boolean> {
  const held = and(eq(domains.hostname, hostname), eq(domains.isVerified, true), ne(domains.orgId, orgId));
  return (await db.select({ id: domains.id }).from(domains).where(held).limit(1)).length > 0;
}

/** Returns the domain of a live bio page of the organization. */
export async function domainOfBioPage(tx: Db, orgId: OrgId, id: string): Promise<string | undefined> {
  const live = and(eq(links.orgId, orgId), eq(links.id, id), eq(links.kind, "bio_page"), isNull(links.deletedAt));
  return (await tx.select({ domainId: links.domainId }).from(links).where(live).limit(1))[0]?.domainId;
}

/** Numbers of what a domain serves. */
export interface LiveOnDomain {
  /** Includes the archived ones. */
  links: number;
  archivedLinks: number;
  bioPages: number;
}

export async function countLiveOnDomain(tx: Db, id: string): Promise<LiveOnDomain> {
  const live = and(eq(links.domainId, id), isNull(links.deletedAt));
  const [counted] = await tx
    .select({
      links: sql<number>`(count(*) filter (where ${links.kind} = 'link'))::int`,
      archivedLinks: sql<number>`(count(*) filter (where ${links.kind} = 'link' and ${links.isArchived}))::int`,
      bioPages: sql<number>`(count(*) filter (where ${links.kind} = 'bio_page'))::int`,
    })
    .from(links)
    .where(live);
  return counted ?? { links: 0, archivedLinks: 0, bioPages: 0 };
}

/**
 * Returns the paths of live links and bio pages on the domain that begin with one of the service's own segments: the
 * first `pathsMax`, and how many there are in total.
 */
export async function pathsOnOwnPaths(tx: Db, { id, isCaseSensitive }: DomainRow, pathsMax: number) {
  const rows = await tx
    .select({ prefix: links.pathPrefix, slug: links.slug, count: sql<number>`(count(*) over ())::int` })
    .from(links)
    .where(and(eq(links.domainId, id), isNull(links.deletedAt), beginsWithOwnPath(isCaseSensitive)))
    .orderBy(links.id)
    .limit(pathsMax);
  return { count: rows[0]?.count ?? 0, paths: rows.map(({ prefix, slug }) => `/${prefix && `${prefix}/`}${slug}`) };
}

/** Moves deleted links to the shared domain, to keep their figures, and notes where they were. */
export const releaseDeletedLinks = (tx: Db, orgId: OrgId, { id, hostname }: DomainRow) =>
  tx
    .update(links)
    .set({
      domainId: sql`(select ${domains.id} from ${domains} where ${domains.orgId} is null)`,
      formerHostname: hostname,
    })
    .where(and(eq(links.orgId, orgId), eq(links.domainId, id), isNotNull(links.deletedAt)));

const ofFormer = (orgId: OrgId, hostname: string) => and(eq(links.orgId, orgId), eq(links.formerHostname, hostname));

/**
 * Returns the id of the organization's deleted domain that the host had last, as the first revisions of its links have
 * it. Returns undefined if there was none, or none with links.
 */
export async function formerDomainId(tx: Db, orgId: OrgId, hostname: string): Promise<string | undefined> {
  const first = and(eq(linkRevisions.linkId, links.id), eq(linkRevisions.version, 1));
  const [former] = await tx
    .select({ id: sql<string | null>`${linkRevisions.snapshot} ->> 'domainId'` })
    .from(links)
    .innerJoin(linkRevisions, first)
    .where(ofFormer(orgId, hostname))
    .orderBy(desc(links.id))
    .limit(1);
  if (!former?.id) return undefined;
  const [taken] = await tx.select({ id: domains.id }).from(domains).where(eq(domains.id, former.id)).limit(1);
  return taken ? undefined : former.id;
}

/** Undoes `releaseDeletedLinks` for a domain that was added again. */
export const takeBackDeletedLinks = (tx: Db, orgId: OrgId, { id, hostname }: DomainRow) =>
  tx.update(links).set({ domainId: id, formerHostname: null }).where(ofFormer(orgId, hostname));

export const deleteDomain = (tx: Db, orgId: OrgId, id: string) => tx.delete(domains).where(one(orgId, id));

export interface DueDomain {
  id: string;
  orgId: OrgId;
}

export interface DomainsDue {
  /** What was checked before this is due. */
  before: Date;
  /** The same for domains that wait for a certificate; null where nothing issues them. */
  awaitedBefore: Date | null;
  /** What was checked after this is due, too: a clock was wrong. */
  ahead: Date;
}

/**
 * Lists verified domains of all organizations that were last checked before the given instant, those checked longest
 * ago first. Domains that wait for a certificate are due earlier.
 */
export async function dueDomains(
  db: Db,
  { before, awaitedBefore, ahead }: DomainsDue,
  limit: number,
): Promise<DueDomain[]> {
  const isAwaited = inArray(sql`coalesce(${domains.certificate} ->> 'status', 'none')`, ["none", "pending", "failed"]);
  const rows = await db
    .select({ id: domains.id, orgId: domains.orgId })
    .from(domains)
    .where(
      and(
        eq(domains.isVerified, true),
        isNotNull(domains.orgId),
        or(
          isNull(domains.checkedAt),
          lte(domains.checkedAt, before),
          gt(domains.checkedAt, ahead),
          awaitedBefore ? and(isAwaited, lte(domains.checkedAt, awaitedBefore)) : undefined,
        ),
      ),
    )
    .orderBy(sql`${domains.checkedAt} nulls first`)
    .limit(limit);
  return rows.flatMap(({ id, orgId }) => (orgId ? [{ id, orgId: orgId as OrgId }] : []));
}
