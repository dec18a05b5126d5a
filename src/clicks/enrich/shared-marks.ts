/**
 * Marks that workers and servers share, in a table of Postgres that is not logged: whoever judges visits that may be too
 * many notes what it knows of a key there, and is told what stands there then. One statement does both. It is on its own,
 * outside of the batch's transaction: the others see it at once, and no lock outlives it.
 *
 * Rows are by minute of the visits' own times, so that a spool which is applied late meets the minutes of its day. They go
 * ten minutes after they were last noted. A crash of Postgres empties the table: what was shared begins anew.
 */
import { textArrayLiteral } from "@/platform/db/array-literals";
import { type Marks, MINUTE_MARKS_MAX, minuteOf } from "./marks";

export interface NotedMarks {
  orgId: string;
  key: number;
  /** The answers keep the order of the questions. */
  marks: Marks;
}

/** What all have noted of each key in the minutes of its marks and those beside them, in the order of noting. */
export type ShareMarks = (asked: readonly NotedMarks[]) => Promise<Map<number, Marks>>;

interface SharedRow {
  key: string;
  marks: string;
  /** When each was noted. */
  noted: string;
}

/** `run` runs one statement on its own. */
export const shareThrough =
  (run: (statement: string, parameters: string[]) => Promise<readonly SharedRow[]>): ShareMarks =>
  async (asked) => {
    const rows = asked.length > 0 ? await run(SHARE, parametersOf(asked)) : [];
    const byKey = Map.groupBy(rows, ({ key }) => Number(key));
    return new Map([...byKey].map(([key, minutes]) => [key, inOrder(minutes)]));
  };

function inOrder(rows: readonly SharedRow[]): Marks {
  const entries = rows.flatMap(({ marks, noted }) => {
    const times = noted.split(",").map(Number);
    return marks.split(",").map((mark, place) => ({ mark: Number(mark), notedAt: times[place] ?? 0 }));
  });
  return entries.sort((a, b) => a.notedAt - b.notedAt).map(({ mark }) => mark);
}

const STAMP = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

/**
 * Keys in one order, so that two who note the same ones follow each other; the time of noting is that of having the row,
 * for whoever comes second to stand behind the first in all of them. What is known of a key is hashed once: a comparison with
 * the array unpacks it anew for each mark, which of hammered keys took seconds a batch.
 */
const SHARE = `
  with told as (
    select * from unnest($1::text::uuid[], $2::text::bigint[], $3::text::bigint[], $4::text::text[])
      as told (org_id, key, minute, marks)
  ), put as (
    insert into visit_windows as known (org_id, key, minute, marks, noted)
    select org_id, key, minute, marks::bigint[], array_fill(${STAMP}, array[cardinality(marks::bigint[])])
    from told where marks <> '{}' order by org_id, key, minute
    on conflict (org_id, key, minute) do update set updated_at = now(), (marks, noted) = (
      select (known.marks || added)[1:${MINUTE_MARKS_MAX}],
        (known.noted || array_fill(${STAMP}, array[cardinality(added)]))[1:${MINUTE_MARKS_MAX}]
      from (select array(
        select mark from unnest(excluded.marks) with ordinality as marks (mark, place)
        where mark not in (select unnest(known.marks)) order by place
      ) as added) as news)
    returning key, marks, noted
  )
  select key::text as key, array_to_string(marks, ',') as marks, array_to_string(noted, ',') as noted from put
  union all
  select known.key::text, array_to_string(known.marks, ','), array_to_string(known.noted, ',')
  from visit_windows as known
  join told on told.marks = '{}' and (known.org_id, known.key, known.minute) = (told.org_id, told.key, told.minute)`;

function parametersOf(asked: readonly NotedMarks[]): string[] {
  const rows = asked.flatMap(({ orgId, key, marks }) => {
    const byMinute = Map.groupBy(marks, minuteOf);
    const minutes = new Set([...byMinute.keys()].flatMap((minute) => [minute - 1, minute, minute + 1]));
    return [...minutes].map((minute) => {
      return { orgId, key: `${key}`, minute: `${minute}`, marks: `{${byMinute.get(minute)?.join(",") ?? ""}}` };
    });
  });
  return (["orgId", "key", "minute", "marks"] as const).map((name) => textArrayLiteral(rows.map((row) => row[name])));
}

/** What nobody has noted for ten minutes. Waits for nobody. */
export const FORGET_SHARED_MARKS = `
  delete from visit_windows where (org_id, key, minute) in (
    select org_id, key, minute from visit_windows where updated_at < now() - interval '10 minutes'
    limit 20000 for update skip locked)`;
