/** Reads the newest clicks of links in time spans from the raw clicks. */
import type { ISql } from "postgres";
import type { OrgId } from "@/core/ids";
import type { Span } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import { COUNTED } from "@/platform/db/figure-constants";
import { createSample, ID_BYTES, type Sample, type SampleRoute, VISITOR_WORDS } from "./sample";

export interface AskedClicks extends Span {
  linkId: string;
  most: number;
}

interface RouteRow extends SampleRoute {
  place: number;
  /** Ranks starting at 1 for the newest click, as big-endian `int4`. */
  numbers: Buffer;
  ids: Buffer;
  times: Buffer;
  visitors: Buffer;
}

const WORD_BYTES = 4;
const VISITOR_BYTES = VISITOR_WORDS * WORD_BYTES;
const WORD = 2 ** 32;
/** Postgres counts timestamps in microseconds from the start of 2000. */
const TIMES_BEGIN = Date.UTC(2000, 0);

/**
 * Returns the samples in the order of `asked`. The caller provides a transaction with bitmap scans disabled: see
 * `routed-samples`.
 */
export async function readNewestClicks(
  sql: ISql,
  orgId: OrgId,
  asked: readonly AskedClicks[],
  includeBots: boolean,
): Promise<Sample[]> {
  if (asked.length === 0) return [];
  const instants = (times: readonly number[]) => arrayLiteral(times.map((time) => new Date(time).toISOString()));
  const [from, to] = [Math.min(...asked.map(({ from }) => from)), Math.max(...asked.map(({ to }) => to))];
  const rows = await sql<RouteRow[]>`
    select asked.place, route_kind as "routeKind", rule_index as "ruleIndex", split_key as "splitKey",
      destination_url as "destinationUrl", string_agg(int4send(number), '') as numbers,
      string_agg(uuid_send(id), '') as ids, string_agg(timestamptz_send(occurred_at), '') as times,
      string_agg(int8send(visitor), '') as visitors
    from unnest(
      ${arrayLiteral(asked.map((_, place) => place))}::text::int[],
      ${arrayLiteral(asked.map(({ linkId }) => linkId))}::text::uuid[],
      ${instants(asked.map(({ from }) => from))}::text::timestamptz[],
      ${instants(asked.map(({ to }) => to))}::text::timestamptz[],
      ${arrayLiteral(asked.map(({ most }) => most))}::text::int[]
    ) as asked (place, link_id, starting, ending, most) cross join lateral (
      select *, (row_number() over (order by occurred_at desc, id desc))::int as number from (
        select id, occurred_at, visitor, route_kind, rule_index, split_key, destination_url from clicks
        where org_id = ${orgId} and link_id = asked.link_id
          and occurred_at >= ${new Date(from)} and occurred_at < ${new Date(to)}
          and occurred_at >= asked.starting and occurred_at < asked.ending
          and ${sql.unsafe(COUNTED)} ${includeBots ? sql`` : sql`and not is_bot`}
        order by occurred_at desc, id desc limit asked.most
      ) as newest
    ) as numbered
    group by 1, 2, 3, 4, 5`;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return asked.map((_, place) => sampleOf(byPlace.get(place) ?? []));
}

function sampleOf(rows: readonly RouteRow[]): Sample {
  const table = rows.map(
    ({ routeKind, ruleIndex, splitKey, destinationUrl }): SampleRoute => ({
      routeKind,
      ruleIndex,
      splitKey,
      destinationUrl,
    }),
  );
  const sample = createSample(
    rows.reduce((sum, { numbers }) => sum + numbers.length / WORD_BYTES, 0),
    table,
  );
  const visitorBytes = new Uint8Array(sample.visitors.buffer);
  for (const [route, { numbers, ids, times, visitors }] of rows.entries()) {
    for (let index = 0; index < numbers.length / WORD_BYTES; index++) {
      const row = numbers.readInt32BE(index * WORD_BYTES) - 1;
      sample.at[row] = instantAt(times, 2 * index * WORD_BYTES);
      sample.routes[row] = route;
      ids.copy(sample.ids, row * ID_BYTES, index * ID_BYTES, (index + 1) * ID_BYTES);
      visitors.copy(visitorBytes, row * VISITOR_BYTES, index * VISITOR_BYTES, (index + 1) * VISITOR_BYTES);
    }
  }
  return sample;
}

const instantAt = (times: Buffer, place: number): number =>
  TIMES_BEGIN + (times.readInt32BE(place) * WORD + times.readUInt32BE(place + WORD_BYTES)) / 1000;
