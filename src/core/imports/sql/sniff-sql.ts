/** Recognizes an SQL file by its first statement, and says which kinds of it cannot be read. */
import { DumpFault, DumpReader } from "./dump-reader";
import { blankEnd } from "./scan";

export const NO_LINKS = "The dump has no table of YOURLS links: export the one whose name ends in url, too";
const STATEMENT =
  /(?:SET\s+(?:NAMES|SESSION|GLOBAL|LOCAL|[@\w.]+\s*=)|(?:CREATE|DROP|ALTER|TRUNCATE|LOCK|UNLOCK)\s+(?:TABLES?|DATABASE|SCHEMA|TEMPORARY|VIEW)\b|INSERT\s+(?:LOW_PRIORITY\s+|DELAYED\s+|IGNORE\s+)*INTO\s|REPLACE\s+(?:DELAYED\s+)?INTO\s|DELETE\s+FROM\s|USE\s+\S+\s*;|START\s+TRANSACTION\b|(?:BEGIN|COMMIT)(?:\s+TRANSACTION)?\s*;|PRAGMA\s|DELIMITER\s|SELECT\s+pg_catalog\.|COPY\s+\S+\s*\()/iy;
/** Where other databases say what they are. */
const TOP_LENGTH = 8_192;
const POSTGRES = /^-- PostgreSQL database|^SELECT pg_catalog\.|^SET statement_timeout\b|^COPY .* FROM stdin;/m;
const SQLITE = /^PRAGMA /im;
const NAMES = /(?:^|\/\*!\d*) *SET +NAMES +['"]?(\w+)/im;
/** MySQL's latin1 is Windows-1252. */
const ENCODINGS: Readonly<Record<string, "utf-8" | "windows-1252" | undefined>> = {
  ...{ utf8: "utf-8", utf8mb3: "utf-8", utf8mb4: "utf-8", latin1: "windows-1252" },
  // These name none.
  ...{ ascii: undefined, binary: undefined, default: undefined },
};

/** `text` is the beginning of a file. */
export function isSql(text: string): boolean {
  const begin = blankEnd(text, 0);
  STATEMENT.lastIndex = begin;
  return begin >= 0 && STATEMENT.test(text);
}

/** Returns the encoding that the dump states: services that cut text may have left half a character in it. */
export function dumpEncoding(text: string): "utf-8" | "windows-1252" | undefined {
  return ENCODINGS[charsetOf(text) ?? "default"];
}

const charsetOf = (text: string): string | undefined => NAMES.exec(text.slice(0, TOP_LENGTH))?.[1]?.toLowerCase();

/** Returns what is wrong with an SQL file, as far as its beginning tells, or undefined. */
export function sqlFault(text: string, isAll: boolean): string | undefined {
  const top = text.slice(0, TOP_LENGTH);
  const other = POSTGRES.test(top) ? "PostgreSQL" : SQLITE.test(top) ? "SQLite" : undefined;
  if (other !== undefined) return `it is a dump of ${other}; YOURLS has its links in MySQL or MariaDB`;
  const charset = charsetOf(text);
  if (charset !== undefined && !Object.hasOwn(ENCODINGS, charset))
    return `it is written in ${charset}; export it as utf8mb4`;
  return isAll ? wholeFault(text) : undefined;
}

function wholeFault(text: string): string | undefined {
  const reader = new DumpReader({ url: [], log: [] });
  try {
    reader.push(text);
    reader.end();
    return reader.hasLinks ? undefined : inSentence(NO_LINKS);
  } catch (error) {
    if (error instanceof DumpFault) return inSentence(error.message);
    throw error;
  }
}

const inSentence = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);
