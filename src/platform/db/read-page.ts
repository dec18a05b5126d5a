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

interface Plan {
  "Plan Rows": number;
  "Relation Name"?: string;
  "Parent Relationship"?: string;
  Plans?: Plan[];
}

interface Explained {
  "QUERY PLAN": [{ Plan: Plan }];
}

async function estimateOf(db: Pick<Drizzle, "execute">, among: SQL): Promise<number> {
  const [row] = await db.execute<Explained & Record<string, unknown>>(sql`explain (format json) select 1 ${among}`);
  if (!row) return 0;
  const { Plan: plan } = row["QUERY PLAN"][0];
  const table = tableOf(plan);
  return Math.round(plan["Plan Rows"] * (table === undefined ? 1 : await rowsPerExpected(db, table)));
}

/** Returns the table that the plan reads first; undefined if that is split into partitions. */
function tableOf(plan: Plan | undefined): string | undefined {
  if (plan === undefined || plan["Relation Name"] !== undefined) return plan?.["Relation Name"];
  return tableOf(plan.Plans?.find((part) => part["Parent Relationship"] === "Outer"));
}

/**
 * Postgres expects as many rows in each page of a table as when it last analyzed it. After a change of many rows, until
 * they are analyzed, half of a page may be their former versions. The number of rows itself is counted as they come and
 * go. That count is missing on a replica, and wrong after a crash until the table is vacuumed or analyzed.
 */
async function rowsPerExpected(db: Pick<Drizzle, "execute">, table: string): Promise<number> {
  const [row] = await db.execute<{ ratio: number | null }>(sql`
    select s.n_live_tup * c.relpages::float8 * current_setting('block_size')::int
      / nullif(c.reltuples * pg_relation_size(c.oid), 0) as ratio
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.oid = to_regclass(${table}::text)
      and coalesce(s.last_analyze, s.last_autoanalyze, s.last_vacuum, s.last_autovacuum) is not null`);
  return row?.ratio && row.ratio > 0 ? row.ratio : 1;
}
