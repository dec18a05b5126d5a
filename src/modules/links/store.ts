/**
 * Stores the links of one organization. Every function takes the checked `OrgId` first and reads and writes only that
 * organization's rows.
 */
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { AddressDomain, LinkRow, LinkValues } from "@/modules/addresses/store";
import type { Drizzle } from "@/platform/db/client";
import { type Paging, readPage } from "@/platform/db/read-page";
import { appProfiles, domains, linkAdmissions, linkCounters, linkRevisions, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type { LinkRow, LinkValues, NewLinkRow } from "@/modules/addresses/store";

export type RevisionRow = typeof linkRevisions.$inferSelect;
export type LinkAppRow = typeof appProfiles.$inferSelect;

/** A link with its domain and click count. */
export interface LinkRecord {
  link: LinkRow;
  domain: AddressDomain;
  clickCount: number;
}

const clickCount = sql<number>`coalesce((
  select sum(${linkCounters.clicks}) from ${linkCounters} where ${linkCounters.linkId} = ${links.id}), 0)`.mapWith(
  Number,
);

const recordColumns = { link: links, domain: domains, clickCount };

/** A link with what its gate needs. */
export interface GatedRecord extends LinkRecord {
  /** Visits counted towards `maxClicks`; 0 without `maxClicks`. */
  admitted: number;
}

/** Looked up by key, and only for links with `maxClicks`. */
const admitted = sql<number>`case when ${links.maxClicks} is null then 0 else coalesce((
  select ${linkAdmissions.admitted} from ${linkAdmissions} where ${linkAdmissions.linkId} = ${links.id}), 0) end`;
const live = (orgId: OrgId) => and(eq(links.orgId, orgId), eq(links.kind, "link"), isNull(links.deletedAt));

/**
 * The database's clock, which all servers share: a server that missed changes queries for those since an instant
 * (`link-cache`). It does not advance within a statement.
 */
const changedNow = sql`statement_timestamp()`;

export async function findLink(db: Db, orgId: OrgId, id: string): Promise<LinkRecord | undefined> {
  const rows = await db
    .select(recordColumns)
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(live(orgId), eq(links.id, id)))
    .limit(1);
  return rows[0];
}

/** Finds the links and bio pages with these ids, including deleted ones. */
export const findLinksOfAnyState = (db: Db, orgId: OrgId, ids: string[]): Promise<LinkRecord[]> =>
  db
    .select(recordColumns)
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(eq(links.orgId, orgId), inArray(links.id, ids)));

/**
 * Returns those of the links that are live and locks them until the transaction ends, so that changes of the same
 * link run one after the other.
 */
export const lockLinks = (tx: Db, orgId: OrgId, ids: readonly string[]): Promise<LinkRow[]> =>
  tx
    .select()
    .from(links)
    .where(and(live(orgId), inArray(links.id, [...ids])))
    .orderBy(links.id)
    .for("update");

/** Returns those of the links that are live, in the order of the ids. */
export async function findLinks(db: Db, orgId: OrgId, ids: readonly string[]): Promise<LinkRecord[]> {
  if (ids.length === 0) return [];
  const found: LinkRecord[] = await db
    .select(recordColumns)
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(live(orgId), inArray(links.id, [...ids])));
  return inOrder(ids, found);
}

/** Does the same, with what the links' gates need. */
export async function findGatedLinks(db: Db, orgId: OrgId, ids: readonly string[]): Promise<GatedRecord[]> {
  if (ids.length === 0) return [];
  const found: GatedRecord[] = await db
    .select({ ...recordColumns, admitted })
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(live(orgId), inArray(links.id, [...ids])));
  return inOrder(ids, found);
}

function inOrder<Found extends LinkRecord>(ids: readonly string[], found: readonly Found[]): Found[] {
  const byId = new Map(found.map((record) => [record.link.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export const updateLinks = (tx: Db, orgId: OrgId, ids: readonly string[], values: Partial<LinkValues>) =>
  tx
    .update(links)
    .set({ ...values, version: sql`${links.version} + 1`, updatedAt: changedNow })
    .where(and(live(orgId), inArray(links.id, [...ids])))
    .returning();

export const insertRevisions = (tx: Db, orgId: OrgId, rows: Omit<typeof linkRevisions.$inferInsert, "orgId">[]) =>
  tx.insert(linkRevisions).values(rows.map((revision) => ({ ...revision, orgId })));

/** Pages through the versions first: the index holds them, whereas a revision holds the whole link. */
export function listRevisions(db: Drizzle, orgId: OrgId, linkId: string, paging: Paging) {
  const { version } = linkRevisions;
  const ofLink = eq(linkRevisions.linkId, linkId);
  const versions = db.select({ version }).from(linkRevisions).where(ofLink).orderBy(desc(version));
  return readPage(db, paging, {
    rows: (limit, offset): Promise<RevisionRow[]> =>
      db
        .select()
        .from(linkRevisions)
        .where(and(eq(linkRevisions.orgId, orgId), ofLink, inArray(version, versions.limit(limit).offset(offset))))
        .orderBy(desc(version)),
    among: sql`from ${linkRevisions} where ${ofLink}`,
  });
}

export async function findApp(db: Db, orgId: OrgId, id: string): Promise<LinkAppRow | undefined> {
  const own = and(eq(appProfiles.orgId, orgId), eq(appProfiles.id, id));
  return (await db.select().from(appProfiles).where(own).limit(1))[0];
}

/** Returns the names of the organization's app profiles by id. An organization has few of them. */
export async function appNames(db: Db, orgId: OrgId): Promise<Map<string, string>> {
  const own = eq(appProfiles.orgId, orgId);
  const rows = await db.select({ id: appProfiles.id, name: appProfiles.name }).from(appProfiles).where(own);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The keys of a path on each kind of domain; null where such a domain cannot have the path. */
export interface PathKeys {
  folded: PathKey;
  caseSensitive: PathKey | null;
}

export interface PathKey {
  prefix: string;
  slug: string;
}

/** Finds the organization's link at an address, on unverified domains too. */
export async function findLinkAt(db: Db, orgId: OrgId, host: string, keys: PathKeys) {
  const rows = await db
    .select(recordColumns)
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(live(orgId), eq(domains.hostname, host), isAt(keys)))
    .orderBy(desc(domains.isVerified))
    .limit(1);
  return rows[0] as LinkRecord | undefined;
}

/**
 * Finds the link with this slug on any of the organization's domains or the shared one. If there are several, returns
 * the oldest.
 */
export async function findLinkBySlug(db: Db, orgId: OrgId, keys: PathKeys) {
  const rows = await db
    .select(recordColumns)
    .from(links)
    .innerJoin(domains, eq(domains.id, links.domainId))
    .where(and(live(orgId), isAt(keys)))
    .orderBy(links.id)
    .limit(1);
  return rows[0] as LinkRecord | undefined;
}

const isAt = ({ folded, caseSensitive }: PathKeys) => {
  const keyOf = (part: keyof PathKey) =>
    sql`case when ${domains.isCaseSensitive} then ${caseSensitive?.[part] ?? null}::text else ${folded[part]}::text end`;
  return and(eq(links.prefixKey, keyOf("prefix")), eq(links.slugKey, keyOf("slug")));
};

export async function countAdmitted(db: Db, linkId: string): Promise<number> {
  const rows = await db.select().from(linkAdmissions).where(eq(linkAdmissions.linkId, linkId)).limit(1);
  return rows[0]?.admitted ?? 0;
}
