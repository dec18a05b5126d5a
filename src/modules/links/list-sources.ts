/** Reads one page of the places of links, from whichever table the filters are evaluated on. */
import { and, type SQL, sql } from "drizzle-orm";
import type { LinkState } from "@/contract/links/link-lists";
import type { Drizzle } from "@/platform/db/client";
import { type PageOf, type Paging, readPage, readPageAfter } from "@/platform/db/read-page";
import { afterPlace, keyOf, type ListOrder, orderInSql, type SortPosition } from "./list-order";

export interface LinkListFilter {
  /** Links must have all of these tags, compared exactly. */
  tags?: readonly string[];
  /** Links must have none of these tags. */
  excludeTags?: readonly string[];
  /**
   * A text in the title, slug, destination or notes, in any case. One or two letters or digits match only at the
   * beginning of a word.
   */
  search?: string;
  /** Only links with these ids. */
  linkIds?: readonly string[];
  domainId?: string;
  state?: LinkState;
  /** True lists only archived links, `either` lists all; by default archived links are left out. */
  isArchived?: boolean | "either";
}

export interface Listing extends Paging {
  filter: LinkListFilter;
  order: ListOrder;
  /** Continues after this place; `page` is then ignored. */
  after?: SortPosition;
  /** The instant for which states are evaluated. */
  now: Date;
}

export interface FilteredSource {
  from: SQL;
  linkId: SQL;
  where: SQL | undefined;
}

/** `least` is a known lower bound of the total. */
export function readPlaces(
  db: Drizzle,
  among: FilteredSource,
  listing: Listing,
  least?: number,
): Promise<PageOf<SortPosition>> {
  const { order, after, ...paging } = listing;
  const { from, linkId, where } = among;
  const listed = {
    // The tables' keys are in the order of creation. Without this order, Postgres would count in the physical order
    // of the table, reading past the rows of other organizations.
    among: sql`from ${from} where ${where} order by ${linkId} desc`,
    least,
    rows: (limit: number, offset: number) => placesBehind(db, among, { order, after }, limit, offset),
  };
  return after ? readPageAfter(db, paging, listed) : readPage(db, paging, listed);
}

export async function placesBehind(
  db: Drizzle,
  { from, linkId, where }: FilteredSource,
  { order, after }: Pick<Listing, "order" | "after">,
  limit: number,
  offset = 0,
): Promise<SortPosition[]> {
  const rows = await db.execute<{ key: string; linkId: string }>(sql`
    select ${keyOf(order)}::text as key, ${linkId}::text as "linkId" from ${from}
    where ${after ? and(where, afterPlace(order, linkId, after)) : where}
    order by ${orderInSql(order, linkId)} limit ${limit}::int offset ${offset}::int`);
  return [...rows];
}
