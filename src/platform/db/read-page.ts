/**
 * One page of a list that may be long. Counting all of it would take longer than reading a page of it, so it is counted up
 * to a bound, beyond which the total is Postgres's own estimate, in bounds of what the page has shown: while there are more
 * rows the total says so, and the last page tells it exactly. Whoever goes on until the total is reached has seen all.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "./client";

/** Of more than these the total is estimated. */
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
  /** Whether the list goes on behind them. */
  hasMore: boolean;
}

export interface Listed<Row> {
  /** The rows are in the order of the page. */
  rows(limit: number, offset: number): Promise<Row[]>;
  /** The same rows as `from … where …`, by which they are counted: best of what an index alone tells. */
  among: SQL;
  /** There are at least so many, as is known already. */
  least?: number;
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
  const known = listed.least ?? 0;
  const [least, most] = hasMore ? [Math.max(known, seen), Number.POSITIVE_INFINITY] : [known, offset];
  return { rows, hasMore, ...(await totalOf(db, listed.among, least, most)) };
}

/** The same of rows that begin behind a cursor: which page that is nobody knows, so all are counted. */
export async function readPageBehind<Row>(
  db: Pick<Drizzle, "execute">,
  { limit }: Pick<Paging, "limit">,
  listed: Listed<Row>,
): Promise<PageOf<Row>> {
  const found = await listed.rows(limit + 1, 0);
  const total = await totalOf(db, listed.among, Math.max(listed.least ?? 0, found.length), Number.POSITIVE_INFINITY);
  return { rows: found.slice(0, limit), hasMore: found.length > limit, ...total };
}

/** Between `least` and `most`, if it is estimated. */
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
