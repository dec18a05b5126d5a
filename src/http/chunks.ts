/**
 * Reads the rows of a download in chunks, each starting where the previous one ended. A download of any length takes
 * the memory of one chunk, and a client that reads slowly holds no connection. A row can take hundreds of kilobytes,
 * but most take a hundred bytes: the size of each chunk after the first is derived from the rows of the previous one.
 * Since the largest rows can follow the smallest, no chunk has more rows than memory could hold if all were of the
 * maximum length.
 */

const FIRST_ROWS = 100;
const CHUNK_ROWS_MAX = 2_000;
const CHUNK_CHARACTERS = 1_000_000;
const CHUNK_CHARACTERS_MAX = 16_000_000;

export interface ReadChunk<Row, Place> {
  rows: Row[];
  /** Where to continue; undefined at the end. */
  next: Place | undefined;
}

/** Lengths in characters: of a given row, and the maximum of any row. */
export interface RowLengths<Row> {
  length(row: Row): number;
  lengthMax: number;
}

export async function* chunksOf<Row, Place>(
  read: (after: Place | undefined, limit: number) => Promise<ReadChunk<Row, Place>>,
  { length, lengthMax }: RowLengths<Row>,
): AsyncGenerator<Row[]> {
  const rowsMax = Math.max(1, Math.min(CHUNK_ROWS_MAX, Math.floor(CHUNK_CHARACTERS_MAX / lengthMax)));
  let after: Place | undefined;
  for (let limit = Math.min(FIRST_ROWS, rowsMax); ; ) {
    const { rows, next } = await read(after, limit);
    if (rows.length > 0) yield rows;
    if (next === undefined) return;
    after = next;
    if (rows.length > 0) limit = Math.min(rowsMax, fitting(rows, length));
  }
}

/** Returns how many rows of this average length make a chunk. */
function fitting<Row>(rows: readonly Row[], length: (row: Row) => number): number {
  const characters = rows.reduce((sum, row) => sum + length(row), 1);
  return Math.max(1, Math.floor((CHUNK_CHARACTERS * rows.length) / characters));
}
