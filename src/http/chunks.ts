/**
 * Rows of a download, read a chunk at a time, each from where the former one ended: a download of any length takes the memory
 * of one chunk, and a client that reads slowly holds no connection. A row may take hundreds of kilobytes, and most take a
 * hundred bytes: after the first chunk each is as long as the former one bids. Since the largest rows may follow the smallest,
 * no chunk has more of them than memory can bear.
 */

const FIRST_ROWS = 100;
const CHUNK_ROWS_MAX = 2_000;
const CHUNK_CHARACTERS = 1_000_000;
const CHUNK_CHARACTERS_MAX = 16_000_000;

export interface ReadChunk<Row, Place> {
  rows: Row[];
  /** Where to go on; undefined at the end. */
  next: Place | undefined;
}

/** In characters: a row's own length, and the length that no row exceeds. */
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

/** How many rows like these make a chunk. */
function fitting<Row>(rows: readonly Row[], length: (row: Row) => number): number {
  const characters = rows.reduce((sum, row) => sum + length(row), 1);
  return Math.max(1, Math.floor((CHUNK_CHARACTERS * rows.length) / characters));
}
