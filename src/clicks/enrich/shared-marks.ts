/**
 * Marks that workers and servers share in an unlogged Postgres table. A process that judges visits of a busy key adds
 * the marks it has and reads all marks of that key. One statement does both. It runs on its own, outside of the
 * batch's transaction: other processes see it immediately, and no lock outlives it.
 *
 * Rows are by minute of the visits' times, so that a spool applied late meets the minutes of its day. A row is
 * deleted ten minutes after it was last updated. A crash of Postgres empties the table, and sharing starts again.
 */
import { textArrayLiteral } from "@/platform/db/array-literals";
import { type Marks, MINUTE_MARKS_MAX, minuteOf } from "./marks";

export interface NotedMarks {
  orgId: string;
  key: number;
  /** Results keep this order. */
  marks: Marks;
}

/**
 * Returns what all processes recorded of each key in the minutes of its marks and the adjacent ones, in the order of
 * recording.
 */
export type ShareMarks = (asked: readonly NotedMarks[]) => Promise<Map<number, Marks>>;

interface SharedRow {
  key: string;
  marks: string;
  /** When each mark was recorded, in microseconds. */
  noted: string;
}

/** `run` runs one statement outside of any transaction. */
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
 * Keys are locked in one order, so that two processes with the same keys run one after the other. The recording time
 * is taken once the row is locked, so that the second process's marks follow the first's under every key. The known
 * marks of a key are hashed once: comparing with the array unpacks it again for each mark, which took seconds per
 * batch for busy keys.
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

/** Deletes rows not updated for ten minutes, 20,000 at most. Skips locked rows instead of waiting. */
export const FORGET_SHARED_MARKS = `
  delete from visit_windows where (org_id, key, minute) in (
    select org_id, key, minute from visit_windows where updated_at < now() - interval '10 minutes'
    limit 20000 for update skip locked)`;
