/** The tables of YOURLS, by their names and columns: it puts a prefix of the operator's choice before `url` and `log`. */
import { blankEnd, endOf, stringEnd, UNFINISHED } from "./scan";

export type DumpTable = "url" | "log";

/** The columns in the order in which YOURLS creates them. */
const COLUMNS: Readonly<Record<DumpTable, readonly string[]>> = {
  url: ["keyword", "url", "title", "timestamp", "ip", "clicks"],
  log: ["click_id", "click_time", "shorturl", "referrer", "user_agent", "ip_address", "country_code"],
};
const NEEDED: Readonly<Record<DumpTable, readonly string[]>> = {
  url: ["keyword", "url"],
  log: ["click_time", "shorturl"],
};
/** How the definition of something other than a column begins, in `CREATE TABLE`. */
const NO_COLUMN = /^(?:PRIMARY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|FOREIGN|CHECK|PERIOD)$/i;
const NAME = /`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^\s`"'(),;.]+/g;
const PLAIN = /[^'"`(),#/-]*/y;

export interface KnownTable {
  table: DumpTable;
  columns: readonly string[];
  /** True if the file does not say which columns the table has. */
  isGuess: boolean;
}

/** Returns the parts of a name, such as those of `shop`.`yourls_url`, as one text. */
export const plainName = (written: string): string => namesIn(written).join(".");

/** Returns the names in a list of columns, in lower case. */
export const columnNames = (list: string): string[] => namesIn(list).map((name) => name.toLowerCase());

function namesIn(list: string): string[] {
  return (list.match(NAME) ?? []).map((name) => {
    const quote = name[0];
    return quote === "`" || quote === '"' ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
  });
}

/** Returns undefined for a table that is not one of YOURLS. `columns` are undefined if the file does not name them. */
export function knownTable(name: string, columns: readonly string[] | undefined): KnownTable | undefined {
  const table = tableNamed(name);
  if (table === undefined) return undefined;
  if (columns === undefined) return { table, columns: COLUMNS[table], isGuess: true };
  return NEEDED[table].every((column) => columns.includes(column)) ? { table, columns, isGuess: false } : undefined;
}

export function tableNamed(name: string): DumpTable | undefined {
  const ending = name.slice(-3).toLowerCase();
  return ending === "url" || ending === "log" ? ending : undefined;
}

/** Reads the columns from the body of a `CREATE TABLE`, after its first bracket. Returns undefined if it continues. */
export function createdColumns(text: string, from: number): { columns: string[]; next: number } | undefined {
  const columns: string[] = [];
  let begin = from;
  for (let [at, depth] = [from, 1]; ; ) {
    at = endOf(PLAIN, text, at) ?? at;
    const character = text[at];
    if (character === undefined) return undefined;
    const isEnd = depth === 1 && (character === "," || character === ")");
    if (isEnd) columns.push(...columnOf(text.slice(begin, at)));
    if (character === "(") depth++;
    if (character === ")" && --depth === 0) return { columns, next: at + 1 };
    at = partEnd(text, at);
    if (at < 0) return undefined;
    if (isEnd) begin = at;
  }
}

/** Returns the end of the string, the comment or the single character that begins here. */
function partEnd(text: string, at: number): number {
  const character = text[at] ?? "";
  if (/['"`]/.test(character)) return Math.max(UNFINISHED, stringEnd(text, at + 1, character));
  const end = /[#/-]/.test(character) ? blankEnd(text, at) : at;
  return end === at ? at + 1 : end;
}

function columnOf(definition: string): string[] {
  const begin = blankEnd(definition, 0);
  const written = /^(?:`(?:[^`]|``)*`|"(?:[^"]|"")*"|[^\s`"(]+)/.exec(definition.slice(Math.max(0, begin)))?.[0];
  return written === undefined || NO_COLUMN.test(written) ? [] : columnNames(written);
}
