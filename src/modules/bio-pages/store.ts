/** Stores the bio pages of one organization. Each is a row of `links` and one of `bio_pages`. */
import { and, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { BioItem, BioTheme } from "@/contract/links/bio-pages";
import type { OrgId } from "@/core/ids";
import type { AddressDomain, LinkRow } from "@/modules/addresses/store";
import type { Drizzle } from "@/platform/db/client";
import { type PageOf, type Paging, readPage } from "@/platform/db/read-page";
import { bioPages, domains, linkRevisions, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** A page with its domain. */
export interface PageRecord {
  link: LinkRow;
  page: PageContent;
  domain: AddressDomain;
}

export interface PageContent {
  bio: string | null;
  theme: BioTheme;
  items: BioItem[];
}

const content = { bio: bioPages.bio, theme: bioPages.theme, items: bioPages.items };

const live = (orgId: OrgId) =>
  and(eq(bioPages.orgId, orgId), eq(links.orgId, orgId), eq(links.kind, "bio_page"), isNull(links.deletedAt));

const records = (db: Db) =>
  db
    .select({ link: links, page: content, domain: domains })
    .from(bioPages)
    .innerJoin(links, eq(links.id, bioPages.linkId))
    .innerJoin(domains, eq(domains.id, links.domainId));

/** The condition on `links` only, which an index-only scan can evaluate. */
const listed = (orgId: OrgId) => and(eq(links.orgId, orgId), eq(links.kind, "bio_page"), isNull(links.deletedAt));

export async function countPages(db: Db, orgId: OrgId): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(links).where(listed(orgId));
  return counted?.total ?? 0;
}

/** Lists the newest first. */
export function listPages(db: Drizzle, orgId: OrgId, paging: Paging): Promise<PageOf<PageRecord>> {
  const ids = db.select({ id: links.id }).from(links).where(listed(orgId)).orderBy(desc(links.id));
  return readPage(db, paging, {
    rows: (limit, offset) =>
      records(db)
        .where(and(live(orgId), inArray(bioPages.linkId, ids.limit(limit).offset(offset))))
        .orderBy(desc(links.id)),
    among: sql`from ${links} where ${listed(orgId)}`,
  });
}

export async function findPage(db: Db, orgId: OrgId, id: string): Promise<PageRecord | undefined> {
  return (
    await records(db)
      .where(and(live(orgId), eq(bioPages.linkId, id)))
      .limit(1)
  )[0];
}

/**
 * Finds a page and locks its row of `links` until the transaction ends, so that changes of the same page run one after
 * the other.
 */
export async function lockPage(tx: Db, orgId: OrgId, id: string): Promise<PageRecord | undefined> {
  const own = and(eq(links.orgId, orgId), eq(links.id, id));
  await tx.select({ id: links.id }).from(links).where(own).for("update");
  return findPage(tx, orgId, id);
}

export const insertContent = (tx: Db, orgId: OrgId, linkId: string, page: PageContent) =>
  tx.insert(bioPages).values({ linkId, orgId, ...contentOf(page) });

export async function updatePage(
  tx: Db,
  orgId: OrgId,
  id: string,
  values: Partial<Omit<LinkRow, "id" | "orgId" | "version" | "updatedAt">>,
  page: PageContent,
): Promise<LinkRow> {
  await tx
    .update(bioPages)
    .set(contentOf(page))
    .where(and(eq(bioPages.orgId, orgId), eq(bioPages.linkId, id)));
  const [row] = await tx
    .update(links)
    // The database's clock: servers that missed changes query by it.
    .set({ ...values, version: sql`${links.version} + 1`, updatedAt: sql`statement_timestamp()` })
    .where(and(eq(links.orgId, orgId), eq(links.id, id)))
    .returning();
  if (!row) throw new Error("A locked bio page could not be updated");
  return row;
}

const contentOf = ({ bio, theme, items }: PageContent): PageContent => ({ bio, theme, items });

/** Returns those of the ids that are live links of the organization. */
export async function ownLinks(tx: Db, orgId: OrgId, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const own = and(eq(links.orgId, orgId), eq(links.kind, "link"), isNull(links.deletedAt), inArray(links.id, ids));
  return new Set((await tx.select({ id: links.id }).from(links).where(own)).map(({ id }) => id));
}

export const insertRevision = (tx: Db, orgId: OrgId, revision: Omit<typeof linkRevisions.$inferInsert, "orgId">) =>
  tx.insert(linkRevisions).values({ ...revision, orgId });
