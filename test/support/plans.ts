/** Measures what Postgres reads for the statements of a store, by running them with `explain analyze`. */
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { type Drizzle, openDatabase } from "@/platform/db/client";

export interface Reading {
  /** Rows fetched from each table, including those that a filter then discarded. */
  fetched: Record<string, number>;
  /** The largest number of rows that a single index-only scan returned. */
  indexed: number;
  /** Tables that were read by a sequential scan because no index fits. */
  whole: string[];
}

/**
 * Vacuums until every page of these tables is all-visible, so that index-only scans need no heap fetches. That takes
 * until no transaction still has a snapshot from before the rows were inserted.
 */
export async function settleTables({ sql }: { sql: Sql }, tables: string[]): Promise<void> {
  for (let isSettled = false; !isSettled; ) {
    await sql`vacuum analyze ${sql(tables)}`;
    const [row] = await sql`
      select bool_and(relallvisible >= relpages) as settled from pg_class where relname in ${sql(tables)}`;
    isSettled = row?.settled;
  }
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Heap Fetches"?: number;
  Plans?: Node[];
}

/**
 * Runs `ask` and returns what its statements read. Postgres chooses plans by table size; here page reads cost so much
 * that it plans for small tables as it does for large ones.
 */
export async function readingOf(databaseUrl: string, ask: (db: Drizzle) => Promise<unknown>): Promise<Reading> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool", name: "waymark test plans" });
  const asked: [query: string, params: unknown[]][] = [];
  await ask(drizzle(sql, { logger: { logQuery: (query, params) => asked.push([query, params]) } }));
  const reading: Reading = { fetched: {}, indexed: 0, whole: [] };
  await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local seq_page_cost = 100`;
    await tx`set local random_page_cost = 100`;
    for (const [query, params] of asked) {
      const values = params.map(String);
      if (/^\s*explain/.test(query)) continue;
      if (/set_config/.test(query)) await tx.unsafe(query, values);
      else {
        const [row] = await tx.unsafe(`explain (analyze, format json) ${query}`, values);
        add(reading, row?.["QUERY PLAN"][0].Plan);
      }
    }
  });
  await close();
  return reading;
}

function add(reading: Reading, node: Node): void {
  for (const part of node.Plans ?? []) add(reading, part);
  const table = node["Relation Name"];
  if (!table) return;
  const rows =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const all = Math.round(node["Actual Loops"] * rows);
  if (node["Node Type"] === "Seq Scan") reading.whole.push(table);
  if (node["Node Type"] === "Index Only Scan") reading.indexed = Math.max(reading.indexed, all);
  const fetched = node["Node Type"] === "Index Only Scan" ? (node["Heap Fetches"] ?? 0) : all;
  if (fetched > 0) reading.fetched[table] = (reading.fetched[table] ?? 0) + fetched;
}
