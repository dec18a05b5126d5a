/**
 * A batch is a stretch of one spool: the clicks between two positions. It is written in one transaction that also moves
 * the spool's offset, and only from where the batch begins. So it is applied exactly once, however often it is tried.
 */

import type { FigureStore } from "@/figures/write/figure-store";
import { addCounters } from "@/figures/write/link-counters";
import { type CountedVisit, rollUp, type VisitGroups } from "@/figures/write/rollup";
import type { Statements } from "@/platform/db/statements";
import type { EnrichedClick } from "../enrich/enrich";
import type { Position } from "../spool/segment-reader";
import { announceVisits } from "./announce";
import type { BatchTransaction, ClickDatabase } from "./click-database";
import { COPY_CLICKS, COPY_OPENS, clickRows, openRows } from "./click-rows";

export interface SpoolIdentity {
  id: string;
  /** Which of the processes that ever had it applies it. */
  incarnation: string;
  /** The number that its counters and figures carry. */
  writer: number;
}

export interface Batch {
  spool: SpoolIdentity;
  from: Position;
  to: Position;
  /** In the order of the spool; what was set aside is missing. */
  clicks: readonly EnrichedClick[];
  /** The service's own origin, as `announceVisits` asks for it. */
  baseUrl?: string;
}

/** The spool's offset is not where the batch begins, or is not ours to move: somebody, perhaps this very batch, has moved it. */
export class OffsetMovedError extends Error {
  override name = "OffsetMovedError";
}

const DEFAULT_BASE_URL = "http://localhost";

interface Summed extends Batch {
  groups: VisitGroups;
  figures: FigureStore;
}

export type BatchStep = (tx: BatchTransaction, batch: Summed) => Promise<void>;

/**
 * What a batch does, all of it or nothing. The offset comes first, since its row's lock keeps a second writer of the same
 * spool waiting, and whoever replaces figures. Webhook deliveries come last: they lock the webhooks they are for.
 */
export const BATCH_STEPS: readonly BatchStep[] = [
  advanceOffset,
  copyClicks,
  copyOpens,
  (tx, { spool, groups }) => addCounters(tx, spool.writer, groups.linkHours),
  (tx, { spool, groups, figures }) => figures.put(tx, spool.writer, groups),
  (tx, { clicks, baseUrl = DEFAULT_BASE_URL }) => announceVisits(tx, clicks, baseUrl),
];

/** Rejects with `OffsetMovedError`, a data fault (see `isDataFault`), or whatever is wrong with the connection. */
export async function writeBatch(
  database: ClickDatabase,
  figures: FigureStore,
  batch: Batch,
  steps: readonly BatchStep[] = BATCH_STEPS,
): Promise<void> {
  const summed = { ...batch, groups: sumUp(batch), figures };
  await database.inTime(() => figures.prepare(statementsThrough(database), batch.spool.writer, summed.groups));
  await database.transaction(async (tx) => {
    for (const step of steps) await step(tx, summed);
  });
}

const sums = new WeakMap<Batch["clicks"], VisitGroups>();

/** Once for the same clicks: to be called ahead, while Postgres works on the batch before. */
export function sumUp({ clicks }: Pick<Batch, "clicks">): VisitGroups {
  const known = sums.get(clicks);
  if (known) return known;
  const groups = rollUp(clicks.map(countedOf));
  sums.set(clicks, groups);
  return groups;
}

const countedOf = (click: EnrichedClick): CountedVisit => ({
  record: click.record,
  hour: click.hour,
  visitor: click.visitor,
  isBot: click.isBot,
  platform: click.platform,
  known: { facts: click },
});

const statementsThrough = ({ reader }: ClickDatabase): Statements => ({
  run: async (statement, parameters = []) => reader.unsafe(statement, parameters),
});

async function advanceOffset(tx: BatchTransaction, { spool, from, to, clicks, figures }: Summed): Promise<void> {
  const [moved] = await tx.run<{ resets: number }>(
    `update spools set segment = $4, position = $5, applied = applied + $6, updated_at = now()
     where id = $1::text::uuid and segment = $2 and position = $3 and incarnation = $7::text::uuid
     returning sketch_resets as resets`,
    [spool.id, from.segment, from.offset, to.segment, to.offset, clicks.length, spool.incarnation],
  );
  if (!moved) throw new OffsetMovedError(`Spool ${spool.id} is not at ${from.segment}:${from.offset}.`);
  figures.follow(spool.id, moved.resets);
}

async function copyClicks(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "click");
  if (visits.length > 0) await tx.copy(COPY_CLICKS, clickRows(visits));
}

async function copyOpens(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "open");
  if (visits.length > 0) await tx.copy(COPY_OPENS, openRows(visits));
}
