/**
 * A batch is a stretch of one spool: the clicks between two positions. It is written in one transaction that also moves
 * the spool's offset, and only from where the batch begins. So it is applied exactly once, however often it is tried.
 */

import type { BatchTransaction, ClickDatabase } from "./click-database";
import { COPY_CLICKS, COPY_OPENS, clickRow, openRow } from "./click-rows";
import type { EnrichedClick } from "./enrich";
import { arrayLiteral, textArrayLiteral } from "./postgres-text";
import { type LinkHour, rollUp } from "./rollup";
import type { Position } from "./segment-reader";
import type { SketchStore } from "./sketches";

export interface SpoolIdentity {
  id: string;
  /** Number of its counters, rollups and sketches. */
  writer: number;
}

export interface Batch {
  spool: SpoolIdentity;
  from: Position;
  to: Position;
  /** In the order of the spool; what was set aside is missing. */
  clicks: readonly EnrichedClick[];
}

/** The spool's offset is not where the batch begins: somebody, perhaps this very batch, has moved it. */
export class OffsetMovedError extends Error {
  override name = "OffsetMovedError";
}

interface Summed extends Batch {
  groups: readonly LinkHour[];
  sketches: SketchStore;
}

export type Step = (tx: BatchTransaction, batch: Summed) => Promise<void>;

/**
 * What a batch does, all of it or nothing. The offset comes first, since its row's lock keeps a second writer of the same
 * spool waiting. Webhook deliveries of clicks and opens belong at the end.
 */
export const BATCH_STEPS: readonly Step[] = [
  advanceOffset,
  copyClicks,
  copyOpens,
  addCounters,
  addRollups,
  putSketches,
];

/** Rejects with `OffsetMovedError`, a data fault (see `isDataFault`), or whatever is wrong with the connection. */
export async function writeBatch(
  database: ClickDatabase,
  sketches: SketchStore,
  batch: Batch,
  steps: readonly Step[] = BATCH_STEPS,
): Promise<void> {
  const summed = { ...batch, groups: rollUp(batch.clicks), sketches };
  await database.transaction(async (tx) => {
    for (const step of steps) await step(tx, summed);
  });
}

async function advanceOffset(tx: BatchTransaction, { spool, from, to, clicks }: Summed): Promise<void> {
  const moved = await tx.run(
    `update spools set segment = $4, position = $5, applied = applied + $6, updated_at = now()
     where id = $1::text::uuid and segment = $2 and position = $3 returning 1 as moved`,
    [spool.id, from.segment, from.offset, to.segment, to.offset, clicks.length],
  );
  if (moved.length === 0) throw new OffsetMovedError(`Spool ${spool.id} is not at ${from.segment}:${from.offset}.`);
}

async function copyClicks(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const rows = clicks.filter(({ record }) => record.kind === "click").map(clickRow);
  if (rows.length > 0) await tx.copy(COPY_CLICKS, rows.join(""));
}

async function copyOpens(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const rows = clicks.filter(({ record }) => record.kind === "open").map(openRow);
  if (rows.length > 0) await tx.copy(COPY_OPENS, rows.join(""));
}

async function addCounters(tx: BatchTransaction, { spool, groups }: Summed): Promise<void> {
  const counters = countersOf(groups);
  if (counters.length === 0) return;
  await tx.run(
    `insert into link_counters (link_id, writer, clicks, bot_clicks, last_click_at)
     select link_id, $1, clicks, bot_clicks, to_timestamp(nullif(last_click_at, 0) / 1000.0)
     from unnest($2::text::uuid[], $3::text::bigint[], $4::text::bigint[], $5::text::bigint[])
       as added (link_id, clicks, bot_clicks, last_click_at)
     on conflict (link_id, writer) do update set
       clicks = link_counters.clicks + excluded.clicks,
       bot_clicks = link_counters.bot_clicks + excluded.bot_clicks,
       last_click_at = greatest(link_counters.last_click_at, excluded.last_click_at)`,
    [
      spool.writer,
      arrayLiteral(counters.map(({ linkId }) => linkId)),
      arrayLiteral(counters.map(({ clicks }) => clicks)),
      arrayLiteral(counters.map(({ botClicks }) => botClicks)),
      arrayLiteral(counters.map(({ lastClickAt }) => lastClickAt)),
    ],
  );
}

/** By link, over all hours of the batch. Opens are not counted there. */
function countersOf(groups: readonly LinkHour[]) {
  const counters = new Map<string, { linkId: string; clicks: number; botClicks: number; lastClickAt: number }>();
  for (const { linkId, humans, bots, lastClickAt } of groups) {
    if (humans.length + bots.length === 0) continue;
    const counter = counters.get(linkId) ?? { linkId, clicks: 0, botClicks: 0, lastClickAt: 0 };
    counter.clicks += humans.length;
    counter.botClicks += bots.length;
    counter.lastClickAt = Math.max(counter.lastClickAt, lastClickAt);
    counters.set(linkId, counter);
  }
  return [...counters.values()].sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
}

async function addRollups(tx: BatchTransaction, { spool, groups }: Summed): Promise<void> {
  if (groups.length === 0) return;
  await tx.run(ADD_ROLLUPS, [spool.writer, ...rollupColumns(groups)]);
}

/** Groups and their cells apart: to repeat ids in every cell would double what parsing the parameters costs. */
const ADD_ROLLUPS = `
  insert into rollups_hourly (org_id, link_id, hour, metric, dimension, value, writer, count)
  select org_id, link_id, to_timestamp(hour / 1000), metric, dimension, value, $1, count
  from unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[]) with ordinality
    as groups (org_id, link_id, hour, position)
  join unnest($5::text::int[], $6::text::text[], $7::text::text[], $8::text::text[], $9::text::bigint[])
    as cells (position, metric, dimension, value, count) using (position)
  on conflict (org_id, link_id, hour, metric, dimension, value, writer)
  do update set count = rollups_hourly.count + excluded.count`;

function rollupColumns(groups: readonly LinkHour[]): string[] {
  const positions: number[] = [];
  const metrics: string[] = [];
  const dimensions: string[] = [];
  const values: string[] = [];
  const counts: number[] = [];
  for (const [index, { counts: tallies }] of groups.entries()) {
    for (const [metric, tally] of Object.entries(tallies)) {
      for (const [dimension, cells] of Object.entries(tally)) {
        for (const [value, count] of cells) {
          positions.push(index + 1);
          metrics.push(metric);
          dimensions.push(dimension);
          values.push(value);
          counts.push(count);
        }
      }
    }
  }
  return [
    arrayLiteral(groups.map(({ orgId }) => orgId)),
    arrayLiteral(groups.map(({ linkId }) => linkId)),
    arrayLiteral(groups.map(({ hour }) => hour)),
    arrayLiteral(positions),
    arrayLiteral(metrics),
    arrayLiteral(dimensions),
    textArrayLiteral(values),
    arrayLiteral(counts),
  ];
}

async function putSketches(tx: BatchTransaction, { spool, groups, sketches }: Summed): Promise<void> {
  await sketches.put(tx, spool.writer, groups);
}
