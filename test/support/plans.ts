/** What Postgres reads for what a store asks: the very statements, explained where they have run. */
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { type Drizzle, openDatabase } from "@/platform/db/client";

export interface Reading {
  /** Rows that were fetched from tables, used or not, by table. */
  fetched: Record<string, number>;
  /** The most rows that one index gave by itself. */
  indexed: number;
  /** Tables that were read from end to end, since no index would do. */
  whole: string[];
}

/** So that indexes alone tell of their rows: once nobody looks at the tables as they were before they were filled. */
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

/** Postgres weighs by the size of its tables: here pages are so dear that small ones are read as large ones are. */
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
