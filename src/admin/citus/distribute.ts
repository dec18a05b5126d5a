/**
 * `distribute`: spreads the tables that grow with traffic over the workers of a Citus cluster, by organization. Each
 * step is a transaction of its own and is skipped if already done, so an interrupted command can be run again to
 * continue. Reads are never blocked; writes to a table wait while it is copied, and clicks wait in their spools.
 */
import { parseArgs } from "node:util";
import type { Sql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { DISTRIBUTED_TABLES, REFERENCE_TABLES, WORKER_FUNCTIONS } from "@/platform/db/citus/citus-tables";
import type { Database } from "@/platform/db/client";
import { prepareDatabase } from "@/platform/db/prepare";
import type { CommandParts } from "../commands";
import type { CommandOutcome } from "../outcome";
import { refusalOfCluster } from "./cluster";
import type { ClusterStep } from "./cluster-step";
import { columnSteps, rowSteps } from "./columns";

interface Asked {
  isDry: boolean;
  shards: number;
  /** Months of clicks that ended this many days ago are stored in columns. */
  columnarAfterDays?: number;
  /** A month of clicks, like 2026-01, to turn back into rows. */
  rows?: string;
}

const SHARDS = 32;
const SHARDS_MAX = 1_024;
const MEGABYTE = 1024 * 1024;

export async function distribute(
  { sql, databaseUrls, log }: Pick<Database, "sql"> & Pick<CommandParts, "databaseUrls" | "log">,
  values: string[],
): Promise<CommandOutcome> {
  const asked = parse(values);
  if ("fault" in asked) return { ok: false, message: asked.fault };
  const refusal = await refusalOfCluster(sql, asked);
  if (refusal !== undefined) return { ok: false, message: refusal };
  await prepareDatabase(databaseUrls, log);
  await say(sql);
  let done = 0;
  for await (const step of stepsOf(sql, asked)) {
    const isDone = await step.isDone();
    if (isDone || asked.isDry) {
      console.log(`${isDone ? "already:" : "will do:"} ${step.what}`);
      continue;
    }
    const startedAt = performance.now();
    await step.do();
    done++;
    console.log(`done:    ${step.what}, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const message = asked.isDry ? "Nothing was changed" : `${done} steps were done; the database is distributed`;
  return { ok: true, message };
}

function parse(values: string[]): Asked | { fault: string } {
  const options = {
    "dry-run": { type: "boolean", default: false },
    shards: { type: "string" },
    "columnar-after": { type: "string" },
    rows: { type: "string" },
  } as const;
  try {
    const given = parseArgs({ args: values, options }).values;
    const shards = Number(given.shards ?? SHARDS);
    if (!Number.isInteger(shards) || shards < 1 || shards > SHARDS_MAX)
      throw new Error(`--shards: expected an integer from 1 to ${SHARDS_MAX}`);
    const { rows, "columnar-after": age = "" } = given;
    const [, days] = /^(\d{1,4})d$/.exec(age) ?? [];
    if (age && days === undefined) throw new Error("--columnar-after: expected a number of days like 90d");
    if (rows !== undefined && !/^\d{4}-\d\d$/.test(rows)) throw new Error("--rows: expected a month like 2026-01");
    return { isDry: given["dry-run"], shards, rows, columnarAfterDays: days === undefined ? undefined : Number(days) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

async function say(sql: Sql): Promise<void> {
  let bytes = 0;
  for (const table of DISTRIBUTED_TABLES) bytes += await localBytes(sql, table);
  console.log(
    `Distributes ${DISTRIBUTED_TABLES.join(", ")} by organization, and copies ${REFERENCE_TABLES.join(", ")} to every node.\n` +
      `Tables of ${Math.ceil(bytes / MEGABYTE)} MB are to be moved, one after another. All this time, links redirect and everything can be read.\n` +
      "What writes to the table being moved waits; clicks wait in their spools. Run verify-rollups afterwards.",
  );
}

async function* stepsOf(sql: Sql, { shards, columnarAfterDays, rows }: Asked): AsyncGenerator<ClusterStep> {
  for (const name of WORKER_FUNCTIONS) yield functionStep(sql, name);
  for (const table of REFERENCE_TABLES) yield referenceStep(sql, table);
  yield domainsStep(sql);
  for (const table of DISTRIBUTED_TABLES) yield distributeStep(sql, table, shards);
  if (columnarAfterDays !== undefined) yield* columnSteps(sql, Date.now() - columnarAfterDays * DAY_MS);
  if (rows !== undefined) yield* rowSteps(sql, rows);
}

const functionStep = (sql: Sql, name: string): ClusterStep => ({
  what: `${name} on every node`,
  async isDone() {
    const rows = await sql`
      select 1 from pg_catalog.pg_dist_object where classid = 'pg_proc'::regclass and objid = ${name}::regprocedure`;
    return rows.length > 0;
  },
  do: async () => void (await sql`select create_distributed_function(${name}::regprocedure)`),
});

const referenceStep = (sql: Sql, table: string): ClusterStep => ({
  what: `${table} on every node`,
  isDone: () => isCitusTable(sql, table),
  do: () => onceOrDone(sql, table, () => sql`select create_reference_table(${table})`),
});

/** Fills in the domain of old clicks, whose rows lack it: workers do not have the links from which it could be read. */
const domainsStep = (sql: Sql): ClusterStep => ({
  what: "the domain of each click in its row",
  async isDone() {
    if (await isCitusTable(sql, "clicks")) return true;
    const rows = await sql`
      select 1 from clicks join links on links.org_id = clicks.org_id and links.id = clicks.link_id where clicks.domain_id is null limit 1`;
    return rows.length === 0;
  },
  do: async () =>
    void (await sql`
      update clicks set domain_id = links.domain_id from links
      where links.org_id = clicks.org_id and links.id = clicks.link_id and clicks.domain_id is null`),
});

const distributeStep = (sql: Sql, table: string, shards: number): ClusterStep => ({
  what: `${table} over the workers`,
  isDone: async () => (await isCitusTable(sql, table)) && (await localBytes(sql, table)) === 0,
  async do() {
    if (!(await isCitusTable(sql, table))) await onceOrDone(sql, table, () => spread(sql, table, shards));
    // Citus leaves the rows it copied in the local table, where they are invisible.
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`;
  },
});

async function spread(sql: Sql, table: string, shards: number): Promise<void> {
  const [first] = DISTRIBUTED_TABLES;
  await (table === first
    ? sql`select create_distributed_table(${table}, 'org_id', shard_count := ${shards}::int, colocate_with := 'none')`
    : sql`select create_distributed_table(${table}, 'org_id', colocate_with := ${first})`);
}

/**
 * Runs `make`, and ignores its failure if the table turns out to be distributed: the statement of a killed run may
 * still be running on the server and finish while this one waits for it.
 */
async function onceOrDone(sql: Sql, table: string, make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(await isCitusTable(sql, table))) throw error;
  }
}

async function isCitusTable(sql: Sql, table: string): Promise<boolean> {
  return (await sql`select 1 from pg_catalog.pg_dist_partition where logicalrelid = ${table}::regclass`).length > 0;
}

/**
 * Bytes of the rows of the table and its partitions on this server. Leaves out columnar partitions, because even an
 * empty one has some bytes.
 */
async function localBytes(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(pg_relation_size(relid)), 0)::float8 as bytes
    from pg_partition_tree(${table}::regclass) join pg_class on pg_class.oid = relid join pg_am on pg_am.oid = relam
    where isleaf and amname = 'heap'`;
  return row?.bytes ?? 0;
}
