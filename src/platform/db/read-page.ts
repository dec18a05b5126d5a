/**
 * Reads one page of a list that may be long. Counting the whole list would take longer than reading the page, so rows
 * are counted up to a bound. Beyond it, the total is Postgres's estimate, limited by what the page has shown: it
 * exceeds the rows so far while there are more, and is exact on the last page. A client that continues until it
 * reaches the total has seen every row.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "./client";

/** Above this number of rows, the total is estimated. */
export const COUNTED_MAX = 10_000;

export interface Paging {
  /** Pages are counted from 1. */
  page: number;
  limit: number;
}

export interface Total {
  total: number;
  isEstimate: boolean;
}

export interface PageOf<Row> extends Total {
  rows: Row[];
  /** Whether more rows follow. */
  hasMore: boolean;
}

export interface Listed<Row> {
  /** Returns rows in the order of the page. */
  rows(limit: number, offset: number): Promise<Row[]>;
  /** The same rows as `from … where …`, for counting them; ideally read from an index only. */
  among: SQL;
}

export async function readPage<Row>(
  db: Pick<Drizzle, "execute">,
  { page, limit }: Paging,
  listed: Listed<Row>,
): Promise<PageOf<Row>> {
  const offset = (page - 1) * limit;
  const found = await listed.rows(limit + 1, offset);
  const rows = found.slice(0, limit);
  const seen = offset + found.length;
  const hasMore = found.length > limit;
  if (!hasMore && (found.length > 0 || offset === 0)) return { rows, hasMore, total: seen, isEstimate: false };
  const [least, most] = hasMore ? [seen, Number.POSITIVE_INFINITY] : [0, offset];
  return { rows, hasMore, ...(await totalOf(db, listed.among, least, most)) };
}

/** Reads the rows after a cursor. The page's number is unknown, so the total is counted over the whole list. */
export async function readPageAfter<Row>(
  db: Pick<Drizzle, "execute">,
  { limit }: Pick<Paging, "limit">,
  listed: Listed<Row>,
): Promise<PageOf<Row>> {
  const found = await listed.rows(limit + 1, 0);
  const total = await totalOf(db, listed.among, found.length, Number.POSITIVE_INFINITY);
  return { rows: found.slice(0, limit), hasMore: found.length > limit, ...total };
}

/** An estimate is limited to the range from `least` to `most`. */
async function totalOf(db: Pick<Drizzle, "execute">, among: SQL, least: number, most: number): Promise<Total> {
  const counted = least > COUNTED_MAX ? least : await countUpTo(db, among, COUNTED_MAX + 1);
  if (counted <= COUNTED_MAX) return { total: counted, isEstimate: false };
  const estimate = Math.max(await estimateOf(db, among), least, counted);
  return { total: Math.min(estimate, most), isEstimate: true };
}

async function countUpTo(db: Pick<Drizzle, "execute">, among: SQL, most: number): Promise<number> {
  const [row] = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from (select 1 ${among} limit ${most}::int) as counted`,
  );
  return row?.total ?? 0;
}

interface Explained {
  "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
}

async function estimateOf(db: Pick<Drizzle, "execute">, among: SQL): Promise<number> {
  const [row] = await db.execute<Explained & Record<string, unknown>>(sql`explain (format json) select 1 ${among}`);
  return Math.round(row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0);
}
