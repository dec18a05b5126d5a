/**
 * Reads the rows of YOURLS's tables from a dump of MySQL or MariaDB, piece by piece, and skips everything else in it:
 * other statements, other tables, the bodies of triggers and routines.
 *
 * States: between two statements, in one that is skipped, in the rows of an `INSERT`, and in routines. Holds at most
 * the beginning of a statement or a row, up to `HELD_MAX` characters. What is skipped is not held, however long it is.
 */
import { literalOf } from "./literal";
import { blankEnd, endOf, MARK, stringEnd, valueEnd } from "./scan";
import {
  columnNames,
  createdColumns,
  type DumpTable,
  type KnownTable,
  knownTable,
  plainName,
  tableNamed,
} from "./tables";

const HELD_MAX = 1_000_000;
/** The most characters of a statement up to its first value or column. */
const HEAD_MAX = 64_000;
const NEAR_LENGTH = 40;
/** The longest line that can end routines. */
const LINE_MAX = 200;

const PART = '(?:`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^\\s`\'"(),;.]+)';
const NAME = `(${PART}(?:\\s*\\.\\s*${PART})?)`;
const INSERT = new RegExp(
  `(?:INSERT|REPLACE)(?:\\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE))*(?:\\s+INTO)?\\s+${NAME}\\s*` +
    "(?:\\(([^()]*)\\)\\s*)?VALUES?\\s*(?=\\()",
  "iy",
);
const CREATE = new RegExp(`CREATE\\s+(?:TEMPORARY\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}\\s*\\(`, "iy");
const WORD = /\w+/y;
const DELIMITER = /DELIMITER[ \t]+(\S+)[^\n]*\n/iy;
const ROUTINES_END = /\n[ \t]*DELIMITER[ \t]+;[^\n]*\n/gi;

export class DumpFault extends Error {
  override name = "DumpFault";
}

export interface DumpRow {
  table: DumpTable;
  /** The wanted columns, in their order. */
  values: (string | null)[];
}

/** The columns to return of each table. A table that is absent is skipped. */
export type WantedColumns = Readonly<Partial<Record<DumpTable, readonly string[]>>>;

interface OpenRows extends KnownTable {
  name: string;
  wanted: number;
  /** For each column its place among the wanted ones, or -1. */
  places: number[];
  expected: "row" | "separator";
}

export class DumpReader {
  readonly #wanted: WantedColumns;
  #held = "";
  #isLast = false;
  #state: "between" | "skipped" | "rows" | "routines" = "between";
  /** What ends the string or comment in which the last piece ended, while a statement is skipped. */
  #open: string | undefined;
  #rows: OpenRows | undefined;
  #found: DumpRow[] = [];
  readonly #created = new Map<string, readonly string[]>();
  /** The name of each table that has rows. */
  readonly #names: Partial<Record<DumpTable, string>> = {};
  readonly #counts: Record<DumpTable, number> = { url: 0, log: 0 };

  constructor(wanted: WantedColumns) {
    this.#wanted = wanted;
  }

  /** True if the file has a table of links so far, be it empty. */
  get hasLinks(): boolean {
    const isOfLinks = ([name, columns]: [string, readonly string[]]) => knownTable(name, columns)?.table === "url";
    return this.#names.url !== undefined || [...this.#created].some(isOfLinks);
  }

  /** Returns the rows completed by this piece. Throws `DumpFault`. */
  push(piece: string): DumpRow[] {
    const text = this.#held + piece;
    let at = 0;
    while (at >= 0) {
      const next = this.#step(text, at);
      if (next < 0) this.#held = text.slice(~next);
      at = next;
    }
    if (this.#held.length > HELD_MAX) throw new DumpFault(`A statement is too long${this.#place()}`);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Returns the last rows. Throws `DumpFault` if the file is cut off. */
  end(): DumpRow[] {
    this.#isLast = true;
    // It may end with a comment.
    const found = this.push("\n");
    if (this.#state === "between" && this.#held === "") return found;
    const where = (this.#state === "rows" && this.#rows?.name) || "a statement";
    throw new DumpFault(`The file ends in the middle of ${where}${this.#place()}: export it again`);
  }

  /** Returns where the next step begins or, if more text is needed, the complement (`~`) of what must be held. */
  #step(text: string, at: number): number {
    if (this.#state === "between") return this.#statement(text, at);
    if (this.#state === "skipped") return this.#skip(text, at);
    return this.#state === "rows" && this.#rows ? this.#inRows(text, at, this.#rows) : this.#routines(text, at);
  }

  #statement(text: string, from: number): number {
    const at = blankEnd(text, from);
    if (at < 0) return ~from;
    if (text[at] === ";") return at + 1;
    const end = endOf(WORD, text, at) ?? at;
    if (end === text.length) return ~at;
    const word = text.slice(at, end).toUpperCase();
    if (word === "DELIMITER") return this.#delimiter(text, at);
    if (word === "INSERT" || word === "REPLACE" || word === "CREATE") {
      const isCreate = word === "CREATE";
      const head = isCreate ? CREATE : INSERT;
      head.lastIndex = at;
      const [, name = "", columns] = head.exec(text) ?? [];
      if (name) return isCreate ? this.#create(text, at, name) : this.#insert(name, columns);
      if (text.length - at < HEAD_MAX && !this.#isLast) return ~at;
    }
    this.#state = "skipped";
    return at;
  }

  /** A command of the client: another delimiter than the semicolon stands around triggers and routines. */
  #delimiter(text: string, at: number): number {
    if (!text.includes("\n", at)) return ~at;
    DELIMITER.lastIndex = at;
    const delimiter = DELIMITER.exec(text)?.[1];
    if (delimiter === ";") return DELIMITER.lastIndex;
    this.#state = "routines";
    return text.indexOf("\n", at);
  }

  #routines(text: string, at: number): number {
    ROUTINES_END.lastIndex = at;
    if (!ROUTINES_END.test(text)) return ~Math.max(at, text.lastIndexOf("\n"), text.length - LINE_MAX);
    this.#state = "between";
    return ROUTINES_END.lastIndex;
  }

  #create(text: string, at: number, written: string): number {
    const created = createdColumns(text, CREATE.lastIndex);
    if (!created) return ~at;
    const name = plainName(written);
    const table = tableNamed(name);
    if (table !== undefined && this.#names[table] === name) throw twice(table, name, name);
    if (table !== undefined) this.#created.set(name, created.columns);
    this.#state = "skipped";
    return created.next;
  }

  #insert(written: string, list: string | undefined): number {
    const name = plainName(written);
    const known = knownTable(name, list === undefined ? this.#created.get(name) : columnNames(list));
    const wanted = known && this.#wanted[known.table];
    this.#state = wanted ? "rows" : "skipped";
    if (known && wanted) {
      const places = known.columns.map((column) => wanted.indexOf(column));
      this.#rows = { ...known, name, wanted: wanted.length, places, expected: "row" };
    }
    return INSERT.lastIndex;
  }

  #inRows(text: string, from: number, rows: OpenRows): number {
    const at = blankEnd(text, from);
    if (at < 0) return ~from;
    const character = text[at];
    if (character === undefined) return ~at;
    if (rows.expected === "row") {
      if (character !== "(") throw this.#unreadable(text, at, rows);
      return this.#row(text, at, rows);
    }
    if (character === ",") {
      rows.expected = "row";
      return at + 1;
    }
    this.#state = character === ";" ? "between" : "skipped";
    return character === ";" ? at + 1 : at;
  }

  #row(text: string, from: number, rows: OpenRows): number {
    const values: (string | null)[] = Array(rows.wanted).fill(null);
    let [count, at] = [0, from];
    do {
      const begin = blankEnd(text, at + 1);
      const end = begin < 0 ? begin : valueEnd(text, begin);
      if (end === undefined) throw this.#unreadable(text, begin, rows);
      if (end < 0) return ~from;
      const place = rows.places[count++] ?? -1;
      if (place >= 0) values[place] = literalOf(text.slice(begin, end));
      at = blankEnd(text, end);
      if (at < 0 || at === text.length) return ~from;
    } while (text[at] === ",");
    if (text[at] !== ")") throw this.#unreadable(text, at, rows);
    return this.#take(values, count, rows) ? at + 1 : from;
  }

  /** Returns false if the table is none of YOURLS, although it is named like one. */
  #take(values: (string | null)[], count: number, rows: OpenRows): boolean {
    const { table, name, columns, isGuess } = rows;
    if (count !== columns.length) {
      if (!isGuess || this.#names[table] === name)
        throw new DumpFault(
          `Row ${this.#counts[table] + 1} of ${name} has ${count} values for ${columns.length} columns`,
        );
      this.#state = "skipped";
      return false;
    }
    this.#names[table] ??= name;
    if (this.#names[table] !== name) throw twice(table, this.#names[table], name);
    this.#counts[table]++;
    this.#found.push({ table, values });
    rows.expected = "separator";
    return true;
  }

  #skip(text: string, from: number): number {
    if (this.#open !== undefined) return this.#close(text, from, this.#open);
    for (let at = from; ; ) {
      const end = endOf(MARK, text, at);
      // What is left may be half of a mark.
      if (end === undefined) return ~Math.max(at, text.length - 1);
      const last = text[end - 1] ?? "";
      if (last === ";") {
        this.#state = "between";
        return end;
      }
      const isPair = last === "-" || last === "*";
      if (isPair && end === text.length) return ~(end - 2);
      const closing = closingOf(last, text[end] ?? "");
      if (closing !== undefined) {
        this.#open = closing;
        at = this.#close(text, end, closing);
        if (at < 0) return at;
      } else at = end;
    }
  }

  #close(text: string, from: number, closing: string): number {
    const isString = closing.length === 1 && closing !== "\n";
    const found = isString ? stringEnd(text, from, closing) : text.indexOf(closing, from);
    if (found < 0) return isString ? found : ~Math.max(from, text.length - closing.length + 1);
    this.#open = undefined;
    return isString ? found : found + closing.length;
  }

  #unreadable(text: string, at: number, { table, name }: OpenRows): DumpFault {
    const near = JSON.stringify(text.slice(at, at + NEAR_LENGTH));
    return new DumpFault(`Row ${this.#counts[table] + 1} of ${name} cannot be read at ${near}`);
  }

  #place(): string {
    const { table = "url", name = "" } = this.#rows ?? {};
    return this.#counts[table] > 0 ? `, after row ${this.#counts[table]} of ${name}` : "";
  }
}

/** Returns what ends the string or comment whose mark ends with `last`, or undefined if `next` makes it none. */
function closingOf(last: string, next: string): string | undefined {
  if (last === "#") return "\n";
  if (last === "-") return /\s/.test(next) ? "\n" : undefined;
  if (last === "*") return next === "!" ? undefined : "*/";
  return last;
}

function twice(table: DumpTable, one: string, other: string): DumpFault {
  const what = table === "url" ? "links" : "clicks";
  const which = one === other ? `${one} twice` : `two tables of ${what}, ${one} and ${other}`;
  return new DumpFault(`The dump has ${which}: export those of one YOURLS alone`);
}
