/**
 * Recognizes a file by its beginning: its separator, its header, and the sources it could come from, or its first SQL
 * statement. If two sources fit, it reports that instead of guessing.
 */
import { IMPORT_SOURCES, type ImportSource } from "@/contract/links/imports";
import { CsvFault, type CsvReader, createCsvReader } from "../csv/reader";
import { type ColumnMapping, matchHeader } from "./header";
import { SourceRecord } from "./record";
import { SOURCES } from "./sources";
import { sqlFault } from "./sql/sniff-sql";

export const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvForm {
  kind: "csv";
  source: ImportSource;
  delimiter: Delimiter;
  /** Lines above the records, without blank ones: the header, and a `sep=` line if Excel wrote one. */
  linesBefore: number;
  header: string[];
}
export interface JsonForm {
  kind: "json";
  source: ImportSource;
}
/** A dump of the database of the only source that has one. */
export interface SqlForm {
  kind: "sql";
  source: ImportSource;
}
/** Pages of an API, each a list of items. */
export interface ApiForm {
  kind: "api";
  source: ImportSource;
}
export type FileFormat = CsvForm | JsonForm | SqlForm;
export type Sniffed = { form: FileFormat } | { fault: string };

/** What the user stated about the file. */
export interface StatedForm {
  source?: ImportSource;
  mapping?: ColumnMapping;
}

const SEPARATOR_LINE = /^sep=([,;\t])\r?\n/i;
const BOM = "\ufeff";
/** Each is compared with the columns of every source: tens of thousands would hold up other requests for seconds. */
const COLUMNS_MAX = 1_000;
/** The source that any CSV fits, tried last. */
const ANY: ImportSource = "csv";

/** `text` is the beginning of the file, at least its first line. */
export function sniffCsv(text: string, stated: StatedForm): Sniffed {
  const plain = text.startsWith(BOM) ? text.slice(1) : text;
  const separator = SEPARATOR_LINE.exec(plain);
  const body = separator ? plain.slice(separator[0].length) : plain;
  const delimiters = DELIMITERS.filter((delimiter) => !separator || delimiter === separator[1]);
  const candidates = delimiters.map((delimiter) => ({ delimiter, header: firstRecord(body, delimiter) }));
  if (candidates.some(({ header }) => header.join("").includes("\0")))
    return { fault: "its header has NUL characters; save it as UTF-8" };
  if (candidates.some(({ header }) => header.length > COLUMNS_MAX))
    return {
      fault: `its header has more than ${COLUMNS_MAX.toLocaleString("en")} columns; delete those that you do not need`,
    };
  const tried = stated.source
    ? [stated.source]
    : IMPORT_SOURCES.filter((name) => SOURCES[name].columns && name !== ANY);
  const linesBefore = separator ? 2 : 1;
  const fitting = (sources: readonly ImportSource[]) =>
    candidates.flatMap(({ delimiter, header }) =>
      sources.flatMap((source): CsvForm[] => {
        const needed = stated.source ? undefined : SOURCES[source].signs;
        const match = matchHeader(header, SOURCES[source], stated.mapping, needed);
        return "fields" in match ? [{ kind: "csv", source, delimiter, linesBefore, header }] : [];
      }),
    );
  const own = fitting(tried);
  return one(own.length > 0 || stated.source ? own : fitting([ANY]), () => {
    const widest = candidates.toSorted((one, other) => other.header.length - one.header.length)[0];
    const match = matchHeader(widest?.header ?? [], SOURCES[stated.source ?? ANY], stated.mapping);
    return "fault" in match ? match.fault : "the file has no header";
  });
}

/** `items` are the first items of the file. */
export function sniffJson(items: readonly unknown[], { source }: StatedForm): Sniffed {
  const records = items.flatMap((item) => SourceRecord.of(item) ?? []);
  if (records.length === 0) return { fault: "the file has no list of links" };
  const tried = source ? [source] : IMPORT_SOURCES;
  const fitting = tried.filter((name) => {
    const { isItem } = SOURCES[name];
    // Where the source is stated, a record that is not such an item is refused alone.
    return isItem && (source ? records.some(isItem) : records.every(isItem));
  });
  const forms = fitting.map((name): JsonForm => ({ kind: "json", source: name }));
  return one(forms, () =>
    source ? `its objects are not ${SOURCES[source].title} links` : "its objects match no known source",
  );
}

/** `text` is the beginning of the file, or all of it. */
export function sniffSql(text: string, { source = "yourls" }: StatedForm, isAll: boolean): Sniffed {
  if (source !== "yourls")
    return { fault: "an SQL dump can only come from YOURLS: set `source`, or upload CSV or JSON" };
  const fault = sqlFault(text, isAll);
  return fault === undefined ? { form: { kind: "sql", source } } : { fault };
}

function one(forms: readonly FileFormat[], faultOf: () => string): Sniffed {
  const [form, ...others] = forms;
  if (form === undefined) return { fault: faultOf() };
  if (others.length === 0) return { form };
  const names = [...new Set(forms.map(({ source }) => SOURCES[source].title))];
  return { fault: `it matches ${names.length === 2 ? "both " : ""}${names.join(" and ")}: set \`source\`` };
}

/**
 * Returns the list of links in a JSON file: the value itself, or the list at one of the places where services put it.
 */
export function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const file = SourceRecord.of(value);
  for (const name of ["links", "data"]) {
    const list = file?.value(name);
    if (Array.isArray(list)) return list;
    const keyed = SourceRecord.of(list);
    if (keyed) return Object.values(keyed.values);
  }
  const nested = file?.under("shortUrls")?.value("data");
  return Array.isArray(nested) ? nested : undefined;
}

/** Returns the trimmed cells of the first record, as the import will read it; none if a quote in it is not closed. */
function firstRecord(text: string, delimiter: string): string[] {
  const reader = createCsvReader(delimiter);
  const [first = []] = [...reader.push(text), ...unfinished(reader)];
  return first.map((cell) => cell.trim());
}

function unfinished(reader: CsvReader): string[][] {
  try {
    return reader.end();
  } catch (error) {
    if (error instanceof CsvFault) return [];
    throw error;
  }
}
