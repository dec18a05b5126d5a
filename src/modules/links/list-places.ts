/** A page of places of links, by whichever table they are found in. */
import { and, type SQL, sql } from "drizzle-orm";
import type { LinkState } from "@/contract/links/link-lists";
import type { Drizzle } from "@/platform/db/client";
import { type PageOf, type Paging, readPage, readPageBehind } from "@/platform/db/read-page";
import { isAfter, keyOf, type ListOrder, type ListPlace, orderInSql } from "./list-order";

export interface LinkListFilter {
  /** All of them, exactly. */
  tags?: readonly string[];
  /** None of them. */
  excludeTags?: readonly string[];
  /** In title, slug, destination and notes, whatever its case. One or two letters or digits: where a word begins. */
  search?: string;
  domainId?: string;
  state?: LinkState;
  /** Archived links alone; otherwise only the others, unless it may be either. */
  isArchived?: boolean | "either";
}

export interface Listing extends Paging {
  filter: LinkListFilter;
  order: ListOrder;
  /** In place of a page's number. */
  after?: ListPlace;
  /** States are of this instant. */
  now: Date;
}

export interface Among {
  from: SQL;
  linkId: SQL;
  where: SQL | undefined;
}

/** `least`: there are at least so many, as is known already. */
export function readPlaces(db: Drizzle, among: Among, listing: Listing, least?: number): Promise<PageOf<ListPlace>> {
  const { order, after, ...paging } = listing;
  const { from, linkId, where } = among;
  const listed = {
    // By time, as the tables' keys go: Postgres would otherwise count in a table's own order, past the rows of others.
    among: sql`from ${from} where ${where} order by ${linkId} desc`,
    least,
    rows: (limit: number, offset: number) => placesBehind(db, among, { order, after }, limit, offset),
  };
  return after ? readPageBehind(db, paging, listed) : readPage(db, paging, listed);
}

export async function placesBehind(
  db: Drizzle,
  { from, linkId, where }: Among,
  { order, after }: Pick<Listing, "order" | "after">,
  limit: number,
  offset = 0,
): Promise<ListPlace[]> {
  const rows = await db.execute<{ key: string; linkId: string }>(sql`
    select ${keyOf(order)}::text as key, ${linkId}::text as "linkId" from ${from}
    where ${after ? and(where, isAfter(order, linkId, after)) : where}
    order by ${orderInSql(order, linkId)} limit ${limit}::int offset ${offset}::int`);
  return [...rows];
}
