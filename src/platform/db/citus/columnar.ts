/**
 * Months of clicks that an operator has Citus store in columns (`admin distribute --columnar-after`). They accept new
 * rows and are read as before, but none of their rows can be changed or deleted. Code that has to do that first turns
 * the month back into rows; code that cannot wait for that gets an error (`isColumnarFault`).
 */
import type { ISql } from "postgres";

export interface Month {
  /** Like 2026-01. */
  name: string;
  partition: string;
  isColumnar: boolean;
  /** ISO 8601; `to` is exclusive. */
  from: string;
  to: string;
}

export interface TimeSpan {
  from: string;
  to: string;
}

/** Returns the months of clicks, oldest first. */
export async function monthsOfClicks(sql: ISql): Promise<Month[]> {
  const rows = await sql<{ partition: string; isColumnar: boolean }[]>`
    select relname as partition, amname = 'columnar' as "isColumnar"
    from pg_inherits join pg_class on pg_class.oid = inhrelid join pg_am on pg_am.oid = relam
    where inhparent = 'clicks'::regclass and relname ~ '^clicks_[0-9]{4}_[0-9]{2}$' order by 1`;
  return rows.map((row) => {
    const [year = 0, month = 0] = row.partition.split("_").slice(1).map(Number);
    const start = (ahead: number) => new Date(Date.UTC(year, month - 1 + ahead, 1)).toISOString();
    return { ...row, name: start(0).slice(0, 7), from: start(0), to: start(1) };
  });
}

/** Takes as long as rewriting the month's clicks, which can be neither read nor written in the meantime. */
export async function storeMonth(sql: ISql, { partition }: Month, as: "columns" | "rows"): Promise<void> {
  await sql`select alter_table_set_access_method(${partition}::regclass, ${as === "rows" ? "heap" : "columnar"})`;
}

/**
 * Turns back into rows the months in which the organization has clicks before an instant, so that they can be
 * changed. Returns their names.
 */
export async function turnBackMonths(sql: ISql, orgId: string, before = "infinity"): Promise<string[]> {
  const turned: string[] = [];
  for (const month of await monthsOfClicks(sql)) {
    if (!month.isColumnar) continue;
    const found = await sql`
      select 1 from ${sql(month.partition)} where org_id = ${orgId} and occurred_at < ${before} limit 1`;
    if (found.length === 0) continue;
    await storeMonth(sql, month, "rows");
    turned.push(month.name);
  }
  return turned;
}

/**
 * Returns the time spans between columnar months; a statement that deletes clicks must stay within one of them.
 * Returns undefined if no month is columnar.
 */
export async function spansOfRows(sql: ISql): Promise<TimeSpan[] | undefined> {
  const columnar = (await monthsOfClicks(sql)).filter(({ isColumnar }) => isColumnar);
  if (columnar.length === 0) return undefined;
  const froms = ["-infinity", ...columnar.map(({ to }) => to)];
  const tos = [...columnar.map(({ from }) => from), "infinity"];
  return froms.map((from, place) => ({ from, to: tos[place] ?? "infinity" })).filter(({ from, to }) => from !== to);
}
