/**
 * Rows of figures in Postgres: one for each link (or whole organization), hour or day, kind of visitor (person or
 * bot), and writer.
 */
import { arrayLiteral } from "@/platform/db/array-literals";
import { NEXT_REVISION } from "@/platform/db/figure-constants";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import { CountSums } from "../count-sums";
import { sendThrough } from "./send-through";

export interface FigureLevel {
  unit: "hour" | "day";
  table: "figures_hourly" | "figures_daily";
}

export const HOURS: FigureLevel = { unit: "hour", table: "figures_hourly" };
export const DAYS: FigureLevel = { unit: "day", table: "figures_daily" };

export interface FigureKey {
  orgId: string;
  /** `WHOLE_ORGANIZATION` for all of its links together. */
  linkId: string;
  /** The start of the hour or day in Unix milliseconds. */
  start: number;
  isBot: boolean;
}

export interface StoredFigures {
  clicks: number;
  opens: number;
  /** Packed counts by `figureKey`. */
  counts: Uint8Array;
  /** An encoded sketch; null if there are no visitors. */
  visitors: Uint8Array | null;
}

const WANTED = "unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[], $5::text::boolean[]";

const keyColumns = (keys: readonly FigureKey[]) => [
  arrayLiteral(keys.map(({ orgId }) => orgId)),
  arrayLiteral(keys.map(({ linkId }) => linkId)),
  arrayLiteral(keys.map(({ start }) => start)),
  arrayLiteral(keys.map(({ isBot }) => (isBot ? "t" : "f"))),
];

/** Returns rows by their position in `wanted`; those that do not exist are missing. */
export async function readFigureRows(
  { unit, table }: FigureLevel,
  tx: Statements,
  writer: number,
  wanted: readonly FigureKey[],
): Promise<Map<number, StoredFigures>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.run<StoredRow>(
    `select wanted.position, stored.clicks, stored.opens, stored.counts, stored.visitors
     from ${WANTED}) with ordinality as wanted (org_id, link_id, start, is_bot, position)
     join ${table} stored
       on stored.org_id = wanted.org_id and stored.link_id = wanted.link_id and stored.is_bot = wanted.is_bot
       and stored.${unit} = to_timestamp(wanted.start / 1000) and stored.writer = $1`,
    [writer, ...keyColumns(wanted)],
  );
  return new Map(rows.map(({ position, ...row }) => [Number(position) - 1, row]));
}

/** Returns the sums over all writers by their position in `wanted`. */
export async function readSums(
  { unit, table }: FigureLevel,
  tx: Statements,
  wanted: readonly FigureKey[],
): Promise<Map<number, CountSums>> {
  const rows = await tx.run<{ position: number; counts: Uint8Array }>(
    `select wanted.position::int, stored.counts
     from (select $1::int) as no_writer, ${WANTED}) with ordinality as wanted (org_id, link_id, start, is_bot, position)
     join ${table} stored
       on stored.org_id = wanted.org_id and stored.link_id = wanted.link_id and stored.is_bot = wanted.is_bot
       and stored.${unit} = to_timestamp(wanted.start / 1000)`,
    [null, ...keyColumns(wanted)],
  );
  const sums = new Map<number, CountSums>();
  for (const { position, counts } of rows) {
    const known = sums.get(position - 1) ?? new CountSums();
    known.addAll(counts);
    sums.set(position - 1, known);
  }
  return sums;
}

interface StoredRow extends StoredFigures {
  position: string;
}

export type WrittenFigures = FigureKey & StoredFigures;

/** Inserts the writer's rows, or overwrites those that exist. */
export async function writeFigureRows(
  level: FigureLevel,
  tx: Statements | CopyStatements,
  writer: number,
  rows: readonly WrittenFigures[],
): Promise<void> {
  if (rows.length === 0) return;
  await sendThrough(tx, writeFigures(level, { from: ADDED, values: ADDED_VALUES }), parametersOf(writer, rows));
}

/**
 * Returns a statement that inserts or overwrites rows from `from`. `values` lists all columns but the revision, in
 * order from the key on.
 */
export const writeFigures = (
  { table, unit }: FigureLevel,
  { from, values }: { from: string; values: string },
): string => `
  insert into ${table} (org_id, link_id, ${unit}, is_bot, writer, clicks, opens, counts, visitors, revision)
  select ${values}, ${NEXT_REVISION} from ${from}
  on conflict (org_id, link_id, ${unit}, is_bot, writer) do update
  set clicks = excluded.clicks, opens = excluded.opens, counts = excluded.counts, visitors = excluded.visitors,
    revision = excluded.revision`;

const ADDED = `${WANTED}, $6::text::int[], $7::text::int[], $8::text::text[], $9::text::text[])
  as added (org_id, link_id, start, is_bot, clicks, opens, counts, visitors)`;
const ADDED_VALUES = `org_id, link_id, to_timestamp(start / 1000), is_bot, $1, clicks, opens,
  decode(counts, 'hex'), decode(nullif(visitors, ''), 'hex')`;

const parametersOf = (writer: number, rows: readonly WrittenFigures[]) => [
  writer,
  ...keyColumns(rows),
  arrayLiteral(rows.map(({ clicks }) => clicks)),
  arrayLiteral(rows.map(({ opens }) => opens)),
  arrayLiteral(rows.map(({ counts }) => `"${counts.toHex()}"`)),
  arrayLiteral(rows.map(({ visitors }) => `"${visitors?.toHex() ?? ""}"`)),
];
