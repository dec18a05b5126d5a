/**
 * Finds the links of an organization that a list shows. All filtering, sorting and counting is done on `listed_links`
 * and `link_tags`, which yield link ids; only the links of the requested page are then read in full.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import type { PageOf } from "@/platform/db/read-page";
import { domains, linkAdmissions, linkTags, listedLinks } from "@/platform/db/schema";
import { cursorAt, isByTime, type SortPosition, withCounts } from "./list-order";
import { findBySearch, matching } from "./list-search";
import { type FilteredSource, type LinkListFilter, type Listing, placesBehind, readPlaces } from "./list-sources";
import { findGatedLinks, type GatedRecord } from "./store";

export interface LinkRows extends PageOf<GatedRecord> {
  /** Null on the last page. */
  nextCursor: string | null;
}

export async function listLinks(db: Drizzle, orgId: OrgId, listing: Listing): Promise<LinkRows> {
  const { rows: places, ...page } = await findPlaces(db, orgId, listing);
  const ids = places.map(({ linkId }) => linkId);
  const last = page.hasMore ? places.at(-1) : undefined;
  return {
    ...page,
    rows: await findGatedLinks(db, orgId, ids),
    nextCursor: last ? cursorAt(listing.order, last) : null,
  };
}

/**
 * Finds the places of all links that match the filter, newest first, one chunk at a time. `next` is undefined after
 * the last chunk.
 */
export async function exportedPlaces(
  db: Drizzle,
  orgId: OrgId,
  filter: LinkListFilter,
  now: Date,
  { after, limit }: Chunk,
) {
  const order = { sort: "createdAt", order: "desc" } as const;
  const { where, ...among } = await sourceFor(db, orgId, { filter, order, now });
  const hasText = filter.search ? matching(filter.search) : undefined;
  const rows = await placesBehind(db, { ...among, where: and(where, hasText) }, { order, after }, limit);
  return { rows, next: rows.length < limit ? undefined : rows.at(-1) };
}

interface Chunk {
  after: SortPosition | undefined;
  limit: number;
}

async function findPlaces(db: Drizzle, orgId: OrgId, listing: Listing): Promise<PageOf<SortPosition>> {
  const { search } = listing.filter;
  const among = await sourceFor(db, orgId, listing);
  return search ? findBySearch(db, orgId, { ...listing, search, among }) : readPlaces(db, among, listing);
}

/**
 * Picks the table to read from. If only a tag narrows the list and it is sorted by creation, that is `link_tags`,
 * whose index is entered at the tag and is in the order of creation; otherwise it is `listed_links`.
 */
async function sourceFor(db: Drizzle, orgId: OrgId, { filter, order, now }: Pick<Listing, "filter" | "order" | "now">) {
  const { search, tags = [] } = filter;
  const [tag, ...others] = tags;
  if (tag !== undefined && !search && isByTime(order)) return amongTagged(db, orgId, { filter, now }, tag, others);
  const linkId = sql`${listedLinks.linkId}`;
  const where = and(
    rowsOf(orgId, filter, now),
    ...(search ? await tagsOfRows(db, orgId, filter) : tagConditions(orgId, filter, linkId, tags)),
  );
  return { from: sql`${listedLinks} ${withCounts(order, orgId)}`, linkId, where };
}

/**
 * A tag with at most this many links is looked up link by link, rather than compared in every row that contains the
 * text.
 */
const SELDOM_MAX = 2_000;

/**
 * Returns the tag conditions of a search. A search reads the rows of all links that contain the text, and those rows
 * hold their tags.
 */
async function tagsOfRows(db: Drizzle, orgId: OrgId, { tags = [], excludeTags = [] }: LinkListFilter): Promise<SQL[]> {
  const rows = sql`${listedLinks.tags}`;
  const isNone = excludeTags.length === 0 ? [] : [sql`not ${rows} && ${textArrayLiteral(excludeTags)}::text::text[]`];
  const conditions = await Promise.all(
    tags.map(async (tag) =>
      (await isRareTag(db, orgId, tag))
        ? hasTag(orgId, tag, sql`${listedLinks.linkId}`)
        : sql`${rows} @> ${textArrayLiteral([tag])}::text::text[]`,
    ),
  );
  return [...conditions, ...isNone];
}

async function isRareTag(db: Drizzle, orgId: OrgId, tag: string): Promise<boolean> {
  const tagged = and(eq(linkTags.orgId, orgId), eq(linkTags.tag, tag));
  return (await db.select({ tag: linkTags.tag }).from(linkTags).where(tagged).offset(SELDOM_MAX).limit(1)).length === 0;
}

async function amongTagged(
  db: Drizzle,
  orgId: OrgId,
  { filter, now }: Pick<Listing, "filter" | "now">,
  tag: string,
  others: readonly string[],
): Promise<FilteredSource> {
  const linkId = sql`${linkTags.linkId}`;
  const isNarrowed =
    filter.domainId !== undefined ||
    filter.linkIds !== undefined ||
    filter.state !== undefined ||
    filter.isArchived === true;
  const isLookedUp = isNarrowed || (filter.isArchived !== "either" && (await hasArchived(db, orgId)));
  const row = sql`exists (select 1 from ${listedLinks}
    where ${and(rowsOf(orgId, filter, now), sql`${listedLinks.linkId} = ${linkId}`)})`;
  const where = and(
    eq(linkTags.orgId, orgId),
    eq(linkTags.tag, tag),
    ...tagConditions(orgId, filter, linkId, others),
    isLookedUp ? row : undefined,
  );
  return { from: sql`${linkTags}`, linkId, where };
}

async function hasArchived(db: Drizzle, orgId: OrgId): Promise<boolean> {
  const archived = and(eq(listedLinks.orgId, orgId), eq(listedLinks.isArchived, true));
  return (await db.select({ linkId: listedLinks.linkId }).from(listedLinks).where(archived).limit(1)).length > 0;
}

const rowsOf = (
  orgId: OrgId,
  { linkIds, domainId, state, isArchived = false }: LinkListFilter,
  now: Date,
): SQL | undefined =>
  and(
    eq(listedLinks.orgId, orgId),
    linkIds && sql`${listedLinks.linkId} = any(${arrayLiteral(linkIds)}::text::uuid[])`,
    isArchived === "either" ? undefined : eq(listedLinks.isArchived, isArchived),
    domainId === undefined ? undefined : eq(listedLinks.domainId, domainId),
    state === undefined ? undefined : sql`${stateOf(orgId, now)} = ${state}`,
  );

/** Checks the states in the order in which the gate refuses visits. */
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
  const has = (tag: string) => hasTag(orgId, tag, linkId);
  return [...tags.map(has), ...excludeTags.map((tag) => sql`not ${has(tag)}`)];
};

const hasTag = (orgId: OrgId, tag: string, linkId: SQL): SQL => sql`exists (select 1 from ${linkTags} as tagged
  where tagged.org_id = ${orgId} and tagged.tag = ${tag} and tagged.link_id = ${linkId})`;
