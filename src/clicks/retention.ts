/**
 * Deletes raw clicks (and their days in columns), opens, custom events and unserved visits that are older than their
 * organization's plan keeps them. The cutoff is recorded first (`raw_retention`), so that missing rows are not
 * mistaken for lost ones. Then monthly partitions that hold nothing to keep are dropped, and other expired rows are
 * deleted in batches. Figures stay, and so do leads, which are the customer's.
 *
 * A run may be stopped anywhere and started again. Dropping a partition takes a lock on the whole table; it waits for
 * it for at most `LOCK_WAIT`, because writers would queue behind it, and leaves the partition to the next run if that fails.
 * What a writer adds to a dropped month goes to the default partition and is deleted from there like any row. After
 * an upgrade, a plan keeps what is still there.
 */
import type { Sql, TransactionSql } from "postgres";
import { DAY_MS } from "@/core/time/time-range";
import { isOnCitus } from "@/platform/db/citus/citus-tables";
import { spansOfRows, type TimeSpan, turnBackMonths } from "@/platform/db/citus/columnar";
import { LOCK_WAIT } from "@/platform/db/locks";
import type { Log } from "@/platform/telemetry/log";
import { PARTITIONED_TABLES, type PartitionedTable } from "./partitions";

export interface RetentionOptions {
  sql: Sql;
  log: Log;
  now: number;
  /** Days kept by each plan; null means forever. */
  retentionDays: Record<string, number | null>;
  signal: AbortSignal;
  /** Rows per delete statement. Tests lower it. */
  batchRows?: number;
}

export interface RetentionOutcome extends Record<string, unknown> {
  deleted: number;
  dropped: string[];
}

const BATCH_ROWS = 5_000;

export async function deleteExpired(options: RetentionOptions): Promise<RetentionOutcome> {
  const { sql, log, signal } = options;
  const outcome: RetentionOutcome = { deleted: 0, dropped: [] };
  await markExpired(options);
  for (const table of PARTITIONED_TABLES) {
    for (const partition of await oldPartitions(sql, table)) {
      if (signal.aborted) return outcome;
      const isDropped = await dropUnlessKept(sql, table, partition).catch((error: unknown) => {
        log.warn("could not drop an old partition", { partition: partition.name, error });
        return false;
      });
      if (isDropped) outcome.dropped.push(partition.name);
    }
    outcome.deleted += await deleteRows(options, table);
  }
  await deleteDays(sql);
  outcome.deleted += await deleteUnserved(sql);
  return outcome;
}

/** Deletes expired days in columns. Whatever stores such days checks the cutoff in the same transaction. */
const deleteDays = (sql: Sql) => sql`
  delete from click_days using raw_retention where raw_retention.org_id = click_days.org_id and day < kept_from`;

/**
 * Deletes expired counts of unserved visits, because they contain paths that strangers wrote. There are few rows, as
 * each covers one hour of a domain.
 */
async function deleteUnserved(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from unserved_visits using raw_retention
    where raw_retention.org_id = unserved_visits.org_id and hour < kept_from`;
  return rows.count;
}

/**
 * Moves each organization's cutoff forward to the midnight before which its plan keeps nothing. It never moves back.
 */
async function markExpired({ sql, now, retentionDays }: RetentionOptions): Promise<void> {
  for (const [plan, days] of Object.entries(retentionDays)) {
    if (days === null) continue;
    const keptFrom = now - (now % DAY_MS) - days * DAY_MS;
    await sql`
      insert into raw_retention (org_id, kept_from)
      select id, ${new Date(keptFrom).toISOString()} from organizations where plan = ${plan}
      on conflict (org_id) do update set kept_from = excluded.kept_from
      where raw_retention.kept_from < excluded.kept_from`;
  }
}

interface Partition {
  name: string;
  /** Exclusive, in ISO 8601. */
  end: string;
}

/**
 * Returns the partitions of months that ended before the shortest retention begins. The month is read from the name:
 * see `partitions`.
 */
async function oldPartitions(sql: Sql, table: PartitionedTable): Promise<Partition[]> {
  const rows = await sql<Partition[]>`
    with monthly as (
      select child.relname as name, to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' as end
      from pg_inherits join pg_class child on child.oid = inhrelid
      where inhparent = ${table}::regclass and child.relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`}
    )
    select name, to_char("end", 'YYYY-MM-DD"T00:00:00Z"') as end from monthly
    where "end" at time zone 'UTC' <= (select max(kept_from) from raw_retention) order by name`;
  return [...rows];
}

/** Drops the partition unless it holds something to keep, and returns whether it did. */
async function dropUnlessKept(sql: Sql, table: PartitionedTable, partition: Partition): Promise<boolean> {
  if (await holdsKept(sql, partition)) return false;
  return sql.begin(async (tx) => {
    await tx`select set_config('lock_timeout', ${LOCK_WAIT}, true)`;
    await tx`lock table ${tx(table)} in access exclusive mode`;
    // A row to keep may have been added meanwhile.
    if (await holdsKept(tx, partition)) return false;
    await tx`drop table ${tx(partition.name)}`;
    return true;
  });
}

/**
 * Whether the partition holds a row that its organization keeps. Rows of deleted organizations are not kept. One
 * lookup for each organization is cheapest; Citus searches all workers at the same time, and does so only for a join.
 */
async function holdsKept(sql: Sql | TransactionSql, { name, end }: Partition): Promise<boolean> {
  const keeping = sql`
    select id, kept_from from organizations left join raw_retention on org_id = id
    where kept_from is null or kept_from < ${end}`;
  const isKept = sql`kept.org_id = keeping.id and (kept_from is null or occurred_at >= kept_from)`;
  const rows = (await isOnCitus(sql))
    ? await sql`select 1 from (${keeping}) as keeping join ${sql(name)} as kept on ${isKept} limit 1`
    : await sql`
        select 1 from (${keeping}) as keeping where exists (select 1 from ${sql(name)} as kept where ${isKept}) limit 1`;
  return rows.length > 0;
}

async function deleteRows(options: RetentionOptions, table: PartitionedTable): Promise<number> {
  const { sql, signal } = options;
  const marks = await sql<Mark[]>`select org_id as "orgId", kept_from::text as "keptFrom" from raw_retention`;
  const hasColumns = table === "clicks" && (await spansOfRows(sql)) !== undefined;
  let deleted = 0;
  for (const mark of marks) {
    if (signal.aborted) return deleted;
    const spans = hasColumns ? await spansToDelete(options, mark) : [undefined];
    for (const span of spans) deleted += await deleteSpan(options, table, mark, span);
  }
  return deleted;
}

interface Mark {
  orgId: string;
  keptFrom: string;
}

/**
 * Returns the time spans to delete within. Columnar months accept no deletes: those with expired rows are turned back
 * into row storage first, and the others are skipped.
 */
async function spansToDelete({ sql, log }: RetentionOptions, { orgId, keptFrom }: Mark) {
  const months = await turnBackMonths(sql, orgId, keptFrom);
  if (months.length > 0) log.info("turned months of clicks back into rows to delete some", { orgId, months });
  return (await spansOfRows(sql)) ?? [undefined];
}

async function deleteSpan(
  { sql, signal, batchRows = BATCH_ROWS }: RetentionOptions,
  table: PartitionedTable,
  { orgId, keptFrom }: Mark,
  span: TimeSpan | undefined,
): Promise<number> {
  const within = span ? sql`and occurred_at >= ${span.from} and occurred_at < ${span.to}` : sql``;
  let deleted = 0;
  for (let last = batchRows; last === batchRows && !signal.aborted; deleted += last) {
    const rows = await sql`
      delete from ${sql(table)} where org_id = ${orgId} ${within} and (occurred_at, id) in (
        select occurred_at, id from ${sql(table)} where org_id = ${orgId} ${within} and occurred_at < ${keptFrom}
        order by occurred_at limit ${batchRows})`;
    last = rows.count;
  }
  return deleted;
}
