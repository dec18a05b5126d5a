/**
 * A batch is a stretch of one spool: the clicks between two positions. One transaction writes it and moves the
 * spool's offset, and only from where the batch begins. So it is applied exactly once, however often it is tried.
 */
import type { FigureStore } from "@/figures/write/figure-store";
import { countersOf } from "@/figures/write/link-counters";
import { type CountedVisit, rollUp, type VisitGroups } from "@/figures/write/rollup";
import type { Statements } from "@/platform/db/statements";
import type { EnrichedClick } from "../enrich/enrich";
import { isAnyErased } from "../erased-visits";
import type { Position } from "../spool/segment-reader";
import { announceVisits, hasListeners } from "./announce";
import type { ClickDatabase } from "./click-database";
import { COPY_CLICKS, COPY_OPENS, clickRows, openRows } from "./click-rows";
import { refuseDeleted } from "./deleted-organizations";
import type { BatchTransaction } from "./transaction";

export interface SpoolIdentity {
  id: string;
  /** The incarnation of the process that applies the spool. */
  incarnation: string;
  /** The writer number of its counters and figures. */
  writer: number;
}

export interface Batch {
  spool: SpoolIdentity;
  from: Position;
  to: Position;
  /** In spool order, without the records that were set aside. */
  clicks: readonly EnrichedClick[];
  /** The service's own origin, for `announceVisits`. */
  baseUrl?: string;
}

/**
 * The spool's offset is not where the batch begins, or the spool belongs to another process. This very batch may have
 * moved it.
 */
export class OffsetMovedError extends Error {
  override name = "OffsetMovedError";
}

const DEFAULT_BASE_URL = "http://localhost";

interface Summed extends Batch {
  groups: VisitGroups;
  figures: FigureStore;
  /** Results of queries sent early, which arrive with a response that is awaited anyway. */
  asked: { hasListeners?: Promise<boolean>; isAnyErased?: Promise<boolean> };
}

export type BatchStep = (tx: BatchTransaction, batch: Summed) => Promise<void>;

/**
 * The steps of a batch, all or nothing. The offset comes first, because its row's lock holds up any second writer of
 * the same spool and whatever replaces figures. Webhook deliveries come last, because they lock their webhooks. Only
 * COPY is waited for: a batch takes three round trips to Postgres, and some more if it has opens or a webhook
 * listens.
 */
export const BATCH_STEPS: readonly BatchStep[] = [
  advanceOffset,
  async (tx, { clicks }) => refuseDeleted(tx, clicks),
  askAhead,
  copyClicks,
  copyOpens,
  async (tx, { asked }) => {
    asked.isAnyErased = isAnyErased(tx);
  },
  (tx, { spool, groups, figures }) => figures.put(tx, spool.writer, groups, countersOf(groups.linkHours)),
  async (tx, { clicks, baseUrl = DEFAULT_BASE_URL, asked }) => {
    if (await asked.hasListeners) await announceVisits(tx, clicks, baseUrl);
  },
];

/**
 * Rejects with `OffsetMovedError`, `DeletedOrganizationsError`, a data fault (see `isDataFault`), or any connection
 * error.
 */
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

/**
 * Does what can be done early, while Postgres works on the previous batch. Calling it again for the same batch costs
 * nothing.
 */
export async function prepareBatch(database: ClickDatabase, figures: FigureStore, batch: Batch): Promise<void> {
  const groups = sumUp(batch);
  await database.inTime(() => figures.prepare(statementsThrough(database), batch.spool.writer, groups));
}

const sums = new WeakMap<Batch["clicks"], VisitGroups>();

/** Computes the sums once for the same array of clicks. */
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
  asked.hasListeners = hasListeners(tx, clicks);
}

async function copyClicks(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "click");
  if (visits.length > 0) await tx.copy(COPY_CLICKS, clickRows(visits));
}

async function copyOpens(tx: BatchTransaction, { clicks }: Summed): Promise<void> {
  const visits = clicks.filter(({ record }) => record.kind === "open");
  if (visits.length > 0) await tx.copy(COPY_OPENS, openRows(visits));
}
