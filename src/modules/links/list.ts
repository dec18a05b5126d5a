/**
 * Which of an organization's links a list shows. Everything is found in `listed_links` and `link_tags`, ids first, and only
 * the links of one page are read whole.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import type { PageOf } from "@/platform/db/read-page";
import { domains, linkAdmissions, linkTags, listedLinks } from "@/platform/db/schema";
import { cursorAt, isByTime, type ListPlace, withCounts } from "./list-order";
import { type LinkListFilter, type Listing, readPlaces } from "./list-places";
import { findBySearch } from "./list-search";
import { findLinks, type LinkRecord } from "./store";

export interface LinkRows extends PageOf<LinkRecord> {
  /** Null at the end. */
  nextCursor: string | null;
}

export async function listLinks(db: Drizzle, orgId: OrgId, listing: Listing): Promise<LinkRows> {
  const { rows: places, ...page } = await findPlaces(db, orgId, listing);
  const ids = places.map(({ linkId }) => linkId);
  const last = page.hasMore ? places.at(-1) : undefined;
  return { ...page, rows: await findLinks(db, orgId, ids), nextCursor: last ? cursorAt(listing.order, last) : null };
}

async function findPlaces(db: Drizzle, orgId: OrgId, listing: Listing): Promise<PageOf<ListPlace>> {
  const { filter, order, now } = listing;
  const { search, tags = [] } = filter;
  const linkId = sql`${listedLinks.linkId}`;
  const of = and(rowsOf(orgId, filter, now), ...tagConditions(orgId, filter, linkId, tags));
  const among = { from: sql`${listedLinks} ${withCounts(order, orgId)}`, linkId, where: of };
  if (search) return findBySearch(db, orgId, { ...listing, search, among });
  const [tag, ...others] = tags;
  return tag !== undefined && isByTime(order)
    ? readTagged(db, orgId, listing, tag, others)
    : readPlaces(db, among, listing);
}

/** From the table of tags, which is entered at the tag and goes by time. */
async function readTagged(db: Drizzle, orgId: OrgId, listing: Listing, tag: string, others: readonly string[]) {
  const { filter, now } = listing;
  const linkId = sql`${linkTags.linkId}`;
  const isLookedUp = filter.domainId !== undefined || filter.state !== undefined || (await hasArchived(db, orgId));
  const row = sql`exists (select 1 from ${listedLinks}
    where ${and(rowsOf(orgId, filter, now), sql`${listedLinks.linkId} = ${linkId}`)})`;
  const where = and(
    eq(linkTags.orgId, orgId),
    eq(linkTags.tag, tag),
    ...tagConditions(orgId, filter, linkId, others),
    isLookedUp || filter.isArchived ? row : undefined,
  );
  return readPlaces(db, { from: sql`${linkTags}`, linkId, where }, listing);
}

async function hasArchived(db: Drizzle, orgId: OrgId): Promise<boolean> {
  const archived = and(eq(listedLinks.orgId, orgId), eq(listedLinks.isArchived, true));
  return (await db.select({ linkId: listedLinks.linkId }).from(listedLinks).where(archived).limit(1)).length > 0;
}

const rowsOf = (orgId: OrgId, { domainId, state, isArchived = false }: LinkListFilter, now: Date): SQL | undefined =>
  and(
    eq(listedLinks.orgId, orgId),
    eq(listedLinks.isArchived, isArchived),
    domainId === undefined ? undefined : eq(listedLinks.domainId, domainId),
    state === undefined ? undefined : sql`${stateOf(orgId, now)} = ${state}`,
  );

/** In the order in which the gate refuses. */
const stateOf = (orgId: OrgId, now: Date): SQL => sql`case
  when not ${listedLinks.isActive} or not ${listedLinks.domainId} = any(array(
    select ${domains.id} from ${domains}
    where ${domains.isVerified} and (${domains.orgId} = ${orgId} or ${domains.orgId} is null))) then 'inactive'
  when ${listedLinks.isUnsafe} then 'unsafe'
  when ${listedLinks.startsAt} > ${now.toISOString()} then 'scheduled'
  when ${listedLinks.expiresAt} <= ${now.toISOString()} then 'expired'
  when ${listedLinks.maxClicks} <= (
    select ${linkAdmissions.admitted} from ${linkAdmissions} where ${linkAdmissions.linkId} = ${listedLinks.linkId}
  ) then 'used_up'
  else 'serving' end`;

const tagConditions = (
  orgId: OrgId,
  { excludeTags = [] }: LinkListFilter,
  linkId: SQL,
  tags: readonly string[],
): SQL[] => {
  const has = (tag: string) => sql`exists (select 1 from ${linkTags} as tagged
    where tagged.org_id = ${orgId} and tagged.tag = ${tag} and tagged.link_id = ${linkId})`;
  return [...tags.map(has), ...excludeTags.map((tag) => sql`not ${has(tag)}`)];
};
