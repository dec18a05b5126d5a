/**
 * Reads CSV piece by piece, as specified by RFC 4180 and as programs and people write it regardless: any of the three
 * line endings, quotes within an unquoted cell, spaces before an opening quote, text after a closing one, a byte order
 * mark.
 *
 * Holds at most the unfinished part of one record, up to `RECORD_LENGTH_MAX` characters. A quote that is never closed
 * would turn the rest of the file into one cell, so it is reported as a fault.
 */

const RECORD_LENGTH_MAX = 4_000_000;
const BYTE_ORDER_MARK = "\ufeff";
/** How database tools write a field without a value. In quotes, it is text. */
const NULL = /^ *(?:NULL|\\N) *$/;

export class CsvFault extends Error {
  override name = "CsvFault";
}

export interface CsvReader {
  /** Returns the records completed by this piece, without blank lines. Throws `CsvFault`. */
  push(piece: string): string[][];
  /** Returns the last record, if it has no line ending. Throws `CsvFault`. */
  end(): string[][];
}

interface CsvRecord {
  cells: string[];
  /** Where the next record begins. */
  next: number;
}

interface ReadCell {
  cell: string;
  /** Position of the character that ended the cell. */
  at: number;
}

/** `hasNulls`: fields without a value are written as `NULL` or `\N`, and are read as empty. */
export function createCsvReader(separator = ",", { hasNulls = false } = {}): CsvReader {
  const bare = new RegExp(`[^${separator}\\r\\n]*`, "y");
  let rest = "";
  let hasBegun = false;
  let records = 0;

  return {
    push: (piece) => read(piece, false),
    end: () => read("", true),
  };

  function read(piece: string, isLast: boolean): string[][] {
    const text = rest + (hasBegun ? piece : piece.replace(BYTE_ORDER_MARK, ""));
    hasBegun ||= piece !== "";
    const found: string[][] = [];
    let at = 0;
    while (at < text.length) {
      const record = readRecord(text, at, isLast);
      if (!record) break;
      records += 1;
      if (record.cells.length > 1 || record.cells[0] !== "") found.push(record.cells);
      at = record.next;
    }
    rest = text.slice(at);
    if (isLast && rest !== "") throw new CsvFault(`Record ${records + 1} has a quote that is never closed`);
    if (rest.length > RECORD_LENGTH_MAX) {
      throw new CsvFault(`Record ${records + 1} is longer than ${RECORD_LENGTH_MAX} characters: is a quote left open?`);
    }
    return found;
  }

  /** Returns undefined while more text may still extend the record. */
  function readRecord(text: string, start: number, isLast: boolean): CsvRecord | undefined {
    const cells: string[] = [];
    for (let at = start; ; at += 1) {
      const begin = afterSpaces(text, at);
      const isQuoted = text[begin] === '"';
      const read = isQuoted ? readQuoted(text, begin, isLast) : readBare(text, at);
      if (!read) return undefined;
      cells.push(hasNulls && !isQuoted && NULL.test(read.cell) ? "" : read.cell);
      at = read.at;
      const end = text[at];
      if (end === separator) continue;
      if (end === undefined) return isLast ? { cells, next: at } : undefined;
      if (end === "\n") return { cells, next: at + 1 };
      if (at + 1 === text.length && !isLast) return undefined;
      return { cells, next: at + (text[at + 1] === "\n" ? 2 : 1) };
    }
  }

  function readBare(text: string, at: number): ReadCell {
    bare.lastIndex = at;
    const cell = bare.exec(text)?.[0] ?? "";
    return { cell, at: at + cell.length };
  }

  function readQuoted(text: string, at: number, isLast: boolean): ReadCell | undefined {
    let cell = "";
    for (let from = at + 1; ; ) {
      const close = text.indexOf('"', from);
      if (close < 0 || (close + 1 === text.length && !isLast)) return undefined;
      cell += text.slice(from, close);
      if (text[close + 1] !== '"') {
        const after = readBare(text, close + 1);
        return { cell: cell + after.cell, at: after.at };
      }
      cell += '"';
      from = close + 2;
    }
  }
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at++;
  return at;
}
