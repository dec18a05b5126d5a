/**
 * Clicks in columns: for some clicks in time order, one array per property, in which numbers represent values. Going
 * through a million of them takes some milliseconds, where as many rows from Postgres take a second.
 *
 * Stored parts contain the values next to the numbers (`PlainPart`). In memory, all parts of a process number values
 * alike (`numbers.ts`), so that sums over many parts are arrays as well (`ClickPart`). The values of a column get
 * their numbers when the column is first used, and their texts are dropped then, because they would take as much
 * memory as all the rest.
 */
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS, type ClickDimension } from "../dimensions";

/** The most rows a part holds, so that two bytes can number any value in it. */
export const PART_ROWS_MAX = 32_768;

/** Included in versions: days stored in another format, or without one of the dimensions, are outdated. */
export const COLUMNS_FORMAT = `2:${CLICK_DIMENSION_NAMES.map((name) => CLICK_DIMENSIONS[name].code).join(".")}`;

export type ValueCodes = Uint8Array | Uint16Array;
export type ColumnName = ClickDimension | "link";
export const COLUMN_NAMES: readonly ColumnName[] = ["link", ...CLICK_DIMENSION_NAMES];

/** No value contains NUL, because Postgres's texts cannot. */
export const VALUE_SEPARATOR = "\0";

export interface PlainColumn {
  /** By row, the index of its value; empty if all rows have the same value. */
  codes: ValueCodes;
  /** The number of values. */
  count: number;
  /** The values in UTF-8, separated by `VALUE_SEPARATOR`. Links have 32 hexadecimal digits; blank values are empty. */
  texts: Uint8Array;
}

interface Part {
  rows: number;
  /** The start of its hour or day in Unix milliseconds. */
  start: number;
  /** Milliseconds after the start, ascending. */
  at: Uint32Array;
  /** 1 for a bot, 0 for a person. */
  isBot: Uint8Array;
  /** By row, the index of its visitor. */
  visitorCodes: ValueCodes;
  /** Two halves of each visitor's key, the lower one first. */
  visitors: Uint32Array;
}

export interface PlainPart extends Part {
  columns: Record<ColumnName, PlainColumn>;
}

export interface ClickColumn {
  codes: ValueCodes;
  count: number;
  /** The numbers of its values in this process; empty until the column is first used. */
  ids: Uint32Array;
  /** As in `PlainColumn`; empty once its values have numbers. */
  texts: Uint8Array;
}

export interface ClickPart extends Part {
  columns: Record<ColumnName, ClickColumn>;
}

const COLUMN_BYTES = 250;
const PART_BYTES = 1_000;

/** Returns approximately how many bytes the part takes in memory. */
export function bytesOf({ at, isBot, visitorCodes, visitors, columns }: ClickPart): number {
  const own = [at, isBot, visitorCodes, visitors].reduce((sum, { byteLength }) => sum + byteLength, PART_BYTES);
  return Object.values(columns).reduce(
    (sum, { codes, ids, texts }) => sum + codes.byteLength + ids.byteLength + texts.byteLength + COLUMN_BYTES,
    own,
  );
}
