/**
 * Reads CSV piece by piece, as RFC 4180 has it and as programs write it all the same: any of the three line ends, quotes
 * within an unquoted cell, text after a closing quote, a byte order mark.
 *
 * Holds what is left of one record, `RECORD_LENGTH_MAX` characters at most. A quote that is never closed would make one cell
 * of the rest of the file, so it is a fault and not a cell.
 */

const RECORD_LENGTH_MAX = 4_000_000;
const BYTE_ORDER_MARK = "\ufeff";

export class CsvFault extends Error {
  override name = "CsvFault";
}

export interface CsvReader {
  /** The records that end in this piece or before. Blank lines are none. Throws `CsvFault`. */
  push(piece: string): string[][];
  /** The last record, if it has no line end. Throws `CsvFault`. */
  end(): string[][];
}

interface CsvRecord {
  cells: string[];
  /** Where the next one begins. */
  next: number;
}

interface ReadCell {
  cell: string;
  /** Of what ended it. */
  at: number;
}

export function createCsvReader(separator = ","): CsvReader {
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

  /** Undefined while its end may be yet to come. */
  function readRecord(text: string, start: number, isLast: boolean): CsvRecord | undefined {
    const cells: string[] = [];
    for (let at = start; ; at += 1) {
      const read = text[at] === '"' ? readQuoted(text, at, isLast) : readBare(text, at);
      if (!read) return undefined;
      cells.push(read.cell);
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
