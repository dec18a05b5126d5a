/** Prints the bytes that a click takes in Postgres, including its indexes and its share of the figures. */
import type { Sql } from "postgres";

interface Taken {
  name: string;
  heap: number;
  indexes: number;
  toast: number;
}

export async function bytesAClick(sql: Sql): Promise<void> {
  const [row] = await sql<{ visits: number }[]>`select coalesce(sum(applied), 0)::float8 as visits from spools`;
  const visits = row?.visits || Number.NaN;
  const taken = await sql<Taken[]>`
    select coalesce(parent.relname, own.relname) as name,
      sum(pg_relation_size(own.oid))::float8 as heap,
      sum(pg_indexes_size(own.oid))::float8 as indexes,
      sum(pg_table_size(own.oid) - pg_relation_size(own.oid))::float8 as toast
    from pg_class as own
    left join pg_inherits on inhrelid = own.oid
    left join pg_class as parent on parent.oid = inhparent
    where own.relkind = 'r' and coalesce(parent.relname, own.relname)
      in ('clicks', 'opens', 'figures_hourly', 'figures_daily', 'link_counters', 'figure_values', 'click_days')
    group by 1 order by 2 desc`;
  const each = (bytes: number) => Number((bytes / visits).toFixed(1));
  const rows = taken.map(({ name, heap, indexes, toast }) => ({
    table: name,
    heap: each(heap),
    indexes: each(indexes),
    "toast and maps": each(toast),
    all: each(heap + indexes + toast),
  }));
  console.log("\nBytes per click in Postgres, opens included");
  console.table([...rows, { table: "all", all: Number(rows.reduce((sum, { all }) => sum + all, 0).toFixed(1)) }]);
}
