/**
 * A batch is a stretch of one spool: the clicks between two positions. It is written in one transaction that also moves
 * the spool's offset, and only from where the batch begins. So it is applied exactly once, however often it is tried.
 */

import type { FigureStore } from "@/figures/write/figure-store";
import { countersOf } from "@/figures/write/link-counters";
import { type CountedVisit, rollUp, type VisitGroups } from "@/figures/write/rollup";
import type { Statements } from "@/platform/db/statements";
import type { EnrichedClick } from "../enrich/enrich";
import { isAnyErased } from "../erased-visits";
import type { Position } from "../spool/segment-reader";
import { announceVisits, isAnybodyTold } from "./announce";
import type { ClickDatabase } from "./click-database";
import { COPY_CLICKS, COPY_OPENS, clickRows, openRows } from "./click-rows";
import type { BatchTransaction } from "./transaction";

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
  /** What was asked ahead, to come with an answer that is waited for anyway. */
  asked: { isAnybodyTold?: Promise<boolean>; isAnyErased?: Promise<boolean> };
}

export type BatchStep = (tx: BatchTransaction, batch: Summed) => Promise<void>;

/**
 * What a batch does, all of it or nothing. The offset comes first, since its row's lock keeps a second writer of the same
 * spool waiting, and whoever replaces figures. Webhook deliveries come last: they lock the webhooks they are for. Only COPY is
 * waited for: a batch takes three round trips to Postgres, and where it has opens or somebody is told of it, some more.
 */
export const BATCH_STEPS: readonly BatchStep[] = [
  advanceOffset,
  askAhead,
  copyClicks,
  copyOpens,
  async (tx, { asked }) => {
    asked.isAnyErased = isAnyErased(tx);
  },
  (tx, { spool, groups, figures }) => figures.put(tx, spool.writer, groups, countersOf(groups.linkHours)),
  async (tx, { clicks, baseUrl = DEFAULT_BASE_URL, asked }) => {
    if (await asked.isAnybodyTold) await announceVisits(tx, clicks, baseUrl);
  },
];

/** Rejects with `OffsetMovedError`, a data fault (see `isDataFault`), or whatever is wrong with the connection. */
export async function writeBatch(
  database: ClickDatabase,
  figures: FigureStore,
  batch: Batch,
  steps: readonly BatchStep[] = BATCH_STEPS,
): Promise<void> {
  const summed = { ...batch, groups: sumUp(batch), figures, asked: {} };
  await prepareBatch(database, figures, batch);
  await database.transaction(async (tx) => {
    for (const step of steps) await step(tx, summed);
  });
}

/** What can be done ahead, while Postgres works on the batch before; again it costs nothing. */
export async function prepareBatch(database: ClickDatabase, figures: FigureStore, batch: Batch): Promise<void> {
  const groups = sumUp(batch);
  await database.inTime(() => figures.prepare(statementsThrough(database), batch.spool.writer, groups));
}

const sums = new WeakMap<Batch["clicks"], VisitGroups>();

/** Once for the same clicks. */
function sumUp({ clicks }: Pick<Batch, "clicks">): VisitGroups {
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
  run: async (statement, parameters = []) => reader.unsafe(statement, parameters, { prepare: true }),
});

async function advanceOffset(tx: BatchTransaction, { spool, from, to, clicks, figures }: Summed): Promise<void> {
  void tx.send<{ resets: number }>(
    `update spools set segment = $4, position = $5, applied = applied + $6, updated_at = now()
     where id = $1::text::uuid and segment = $2 and position = $3 and incarnation = $7::text::uuid
     returning sketch_resets as resets`,
    [spool.id, from.segment, from.offset, to.segment, to.offset, clicks.length, spool.incarnation],
    ([moved]) => {
      if (!moved) throw new OffsetMovedError(`Spool ${spool.id} is not at ${from.segment}:${from.offset}.`);
      figures.follow(spool.id, moved.resets);
    },
  );
}

async function askAhead(tx: BatchTransaction, { spool, clicks, groups, figures, asked }: Summed): Promise<void> {
  figures.ask(tx, spool.writer, groups);
  asked.isAnybodyTold = isAnybodyTold(tx, clicks);
}

async function copyClicks(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "click");
  if (visits.length > 0) await tx.copy(COPY_CLICKS, clickRows(visits));
}

async function copyOpens(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "open");
  if (visits.length > 0) await tx.copy(COPY_OPENS, openRows(visits));
}
