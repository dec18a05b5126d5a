/**
 * Writes what a batch adds to counters and figures. Many rows are sent by COPY, because Postgres takes longer to read
 * them as parameters than to write them. They are all sent by the same COPY, because each COPY has to be waited for.
 * It fills one temporary table of the connection, which is created when first needed and empty after each
 * transaction.
 */
import { type BinaryRows, binaryRows } from "@/platform/db/binary-rows";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import { DAYS, type FigureLevel, HOURS, type WrittenFigures, writeFigureRows, writeFigures } from "./figure-rows";
import { addCounters, type LinkCounter, writeCounters } from "./link-counters";

export interface BatchRows {
  counters: readonly LinkCounter[];
  hours: readonly WrittenFigures[];
  days: readonly WrittenFigures[];
}

/** With fewer rows, two additional statements cost more than reading parameters. */
const ROWS_MIN = 128;

/** What a page has room for: a sketch that is read only once is not worth splitting and reassembling. */
const TOGETHER_BYTES = 8_160;

const STAGED_COLUMNS = [
  "org_id",
  "link_id",
  "hour",
  "is_bot",
  "writer",
  "clicks",
  "opens",
  "counts",
  "visitors",
  "kind",
];
const KINDS = { counter: 0, hour: 1, day: 2 } as const;
const NOTHING = new Uint8Array();

/** Adds to counters and overwrites the writer's figures. */
export async function writeBatchRows(
  tx: Statements | CopyStatements,
  writer: number,
  { counters, hours, days }: BatchRows,
): Promise<void> {
  if (canStage(tx, counters.length + hours.length + days.length)) return stage(tx, writer, { counters, hours, days });
  await addCounters(tx, writer, counters);
  await writeFigureRows(HOURS, tx, writer, hours);
  await writeFigureRows(DAYS, tx, writer, days);
}

/** True if staging is possible and worthwhile. */
const canStage = (tx: Statements | CopyStatements, rows: number): tx is CopyStatements =>
  "copy" in tx && tx.mayStage && rows >= ROWS_MIN;

async function stage(tx: CopyStatements, writer: number, { counters, hours, days }: BatchRows): Promise<void> {
  void tx.send(
    `create temporary table if not exists staged_figures (like figures_hourly including storage, kind smallint not null)
     with (toast_tuple_target = ${TOGETHER_BYTES}) on commit delete rows`,
  );
  const rows = [
    ...counters.map((counter) => ({ kind: KINDS.counter, row: rowOf(counter) })),
    ...hours.map((row) => ({ kind: KINDS.hour, row })),
    ...days.map((row) => ({ kind: KINDS.day, row })),
  ];
  await tx.copy(
    `copy staged_figures (${STAGED_COLUMNS.join(", ")}) from stdin (format binary)`,
    binaryRows(rows, STAGED_COLUMNS.length, (to, { row, kind }) => putRow(to, writer, row, kind)),
  );
  if (counters.length > 0) void tx.send(STAGED_COUNTERS);
  if (hours.length > 0) void tx.send(stagedFigures(HOURS, KINDS.hour));
  if (days.length > 0) void tx.send(stagedFigures(DAYS, KINDS.day));
}

const STAGED_COUNTERS = writeCounters({
  from: `staged_figures where kind = ${KINDS.counter}`,
  values: "org_id, link_id, writer, clicks, opens, nullif(hour, to_timestamp(0))",
});

const stagedFigures = (level: FigureLevel, kind: number): string =>
  writeFigures(level, {
    from: `staged_figures where kind = ${kind}`,
    values: "org_id, link_id, hour, is_bot, writer, clicks, opens, counts, visitors",
  });

/** Returns a counter in the columns of figures. */
const rowOf = ({ orgId, linkId, clicks, botClicks: opens, lastClickAt: start }: LinkCounter): WrittenFigures => ({
  ...{ orgId, linkId, start, isBot: false, clicks, opens },
  ...{ counts: NOTHING, visitors: null },
});

function putRow(to: BinaryRows, writer: number, row: WrittenFigures, kind: number): void {
  to.uuid(row.orgId);
  to.uuid(row.linkId);
  to.instant(row.start);
  to.bool(row.isBot);
  to.int32(writer);
  to.int32(row.clicks);
  to.int32(row.opens);
  to.bytes(row.counts);
  if (row.visitors) to.bytes(row.visitors);
  else to.null();
  to.int16(kind);
}
