/**
 * Monthly partitions of clicks, opens and custom events. Rows outside of them go to the default partition and stay
 * readable. Creating one takes a lock that any reader of the table holds up, such as `pg_dump` for hours, and behind
 * which all others queue. So it is waited for only briefly.
 */
import type { Sql } from "postgres";

export const PARTITIONED_TABLES = ["clicks", "opens", "events"] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];
const MONTHS_AHEAD = 2;
const LOCK_WAIT = "1s";

/**
 * Creates the missing partitions of this month and the two months ahead. Any number of servers may do so at the same
 * time. Moves rows of these months that went to the default partition. Rejects with a lock timeout if others use
 * the tables.
 */
export async function ensurePartitions(sql: Pick<Sql, "unsafe">, now: Date): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const statements = PARTITIONED_TABLES.flatMap((table) => months.map((month) => partitionStatement(table, month)));
  // A single statement is one transaction, so no connection has to be reserved.
  await sql.unsafe(`do $$ begin
    perform set_config('lock_timeout', '${LOCK_WAIT}', true);
    perform pg_advisory_xact_lock(hashtext('waymark partitions'));
    ${statements.join("\n")}
  end $$`);
}

interface Month {
  name: string;
  from: string;
  to: string;
}

function monthOf(now: Date, ahead: number): Month {
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
  return { name: from.toISOString().slice(0, 7).replace("-", "_"), from: from.toISOString(), to: to.toISOString() };
}

/**
 * If rows move, the whole table is locked first: a reader that knows only the partitions of before, and waits for one of
 * them, would find those rows in neither.
 */
function partitionStatement(table: PartitionedTable, { name, from, to }: Month): string {
  const partition = `${table}_${name}`;
  return `if to_regclass('${partition}') is null then
    create table ${partition} (like ${table} including defaults including constraints);
    if exists (select 1 from ${table}_default where occurred_at >= '${from}' and occurred_at < '${to}') then
      lock table ${table} in access exclusive mode;
      with moved as (
        delete from ${table}_default where occurred_at >= '${from}' and occurred_at < '${to}' returning *
      ) insert into ${partition} select * from moved;
    end if;
    alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}');
  end if;`;
}
