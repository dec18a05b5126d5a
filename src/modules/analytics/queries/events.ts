/** Custom events: how many, worth how much, when, and of which name. */
import type { OrgId } from "@/core/ids";
import { type FiguresScope, type Reader, scopeFragments, sourcesOf, unionAll } from "./scope";

const NAMES_MAX = 10;

export interface EventFigures {
  count: number;
  value: number;
  /** By start of the bucket, Unix milliseconds; buckets without any are absent. */
  byBucket: Map<number, { count: number; value: number }>;
  /** The most frequent first, ties in the order of their names. */
  byName: { name: string; count: number; value: number }[];
}

interface EventRow {
  /** Null but in rows of one bucket, or of one name. */
  at: number | null;
  name: string | null;
  count: number;
  value: number;
}

export async function readEvents(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<EventFigures> {
  const { eventsIn, eventEdges, bucketOf } = scopeFragments(sql, orgId, scope);
  const rows = await sql<EventRow[]>`
    with counted as (
      select null::timestamptz as bucket, '' as name, 0::bigint as count, 0::numeric as value where false
      ${unionAll(
        sql,
        sourcesOf(scope.buckets),
        (source) => sql`
          select ${bucketOf(source.start)}, name, count, value from ${sql(source.events)} where ${eventsIn(source)}`,
      )}
      ${unionAll(
        sql,
        eventEdges,
        (edge) => sql`select ${bucketOf("occurred_at")}, name, 1, coalesce(value, 0) from events where ${edge}`,
      )}
    ), summed as (
      select bucket, name, sum(count) as count, sum(value) as value,
        row_number() over (partition by grouping(name) order by sum(count) desc, name collate "C") as place
      from counted group by grouping sets ((), (bucket), (name))
    )
    select extract(epoch from bucket)::float8 * 1000 as at, name,
      coalesce(count, 0)::float8 as count, coalesce(value, 0)::float8 as value
    from summed where name is null or place <= ${NAMES_MAX} order by place`;
  const whole = rows.find(({ at, name }) => at === null && name === null);
  return {
    count: whole?.count ?? 0,
    value: whole?.value ?? 0,
    byBucket: new Map(rows.flatMap(({ at, count, value }) => (at === null ? [] : [[at, { count, value }]]))),
    byName: rows.flatMap(({ name, count, value }) => (name === null ? [] : [{ name, count, value }])),
  };
}
