/**
 * Clicks in columns: of some clicks, in the order of time, one array for each property, its values by number. To go through
 * a million of them takes some milliseconds, where as many rows of Postgres take a second.
 *
 * As they are stored, values stand beside the numbers (`PlainPart`); as they are gone through, all parts of a process number
 * values alike (`numbers.ts`), so that sums of many parts are arrays as well (`ClickPart`). Values of a column get their numbers
 * when the column is first asked for, and are dropped then: they would take as much memory as all the rest.
 */
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS, type ClickDimension } from "../dimensions";

/** A part holds no more, so that two bytes number any value in it. */
export const PART_ROWS_MAX = 32_768;

/** What is stored in another form, or lacks a dimension, is outdated. */
export const COLUMNS_FORMAT = `2:${CLICK_DIMENSION_NAMES.map((name) => CLICK_DIMENSIONS[name].code).join(".")}`;

export type ValueCodes = Uint8Array | Uint16Array;
export type ColumnName = ClickDimension | "link";
export const COLUMN_NAMES: readonly ColumnName[] = ["link", ...CLICK_DIMENSION_NAMES];

/** A value cannot hold NUL, since Postgres's texts cannot. */
export const VALUE_SEPARATOR = "\0";

export interface PlainColumn {
  /** By row, the place of its value; empty where all rows have the same one. */
  codes: ValueCodes;
  /** How many values there are. */
  count: number;
  /** The values in UTF-8, `VALUE_SEPARATOR` between them. Links have 32 hexadecimal digits; blank values are empty. */
  texts: Uint8Array;
}

interface Part {
  rows: number;
  /** The start of its hour or day in Unix milliseconds. */
  start: number;
  /** Milliseconds after the start, ascending. */
  at: Uint32Array;
  /** 1 for a bot's. */
  isBot: Uint8Array;
  /** By row, the place of its visitor. */
  visitorCodes: ValueCodes;
  /** Two halves for each visitor. */
  visitors: Uint32Array;
}

export interface PlainPart extends Part {
  columns: Record<ColumnName, PlainColumn>;
}

export interface ClickColumn {
  codes: ValueCodes;
  count: number;
  /** The numbers of its values in this process; none before it is asked for. */
  ids: Uint32Array;
  /** As in `PlainColumn`; empty once its values have numbers. */
  texts: Uint8Array;
}

export interface ClickPart extends Part {
  columns: Record<ColumnName, ClickColumn>;
}

const COLUMN_BYTES = 250;
const PART_BYTES = 1_000;

/** What it takes in memory, about. */
export function bytesOf({ at, isBot, visitorCodes, visitors, columns }: ClickPart): number {
  const own = [at, isBot, visitorCodes, visitors].reduce((sum, { byteLength }) => sum + byteLength, PART_BYTES);
  return Object.values(columns).reduce(
    (sum, { codes, ids, texts }) => sum + codes.byteLength + ids.byteLength + texts.byteLength + COLUMN_BYTES,
    own,
  );
}
