/**
 * Links as CSV: scalars as they are, tags, lists and objects as JSON. A cell without a value is empty, empty text is an
 * apostrophe alone. Formulas are neutralised by an apostrophe, which reading takes away again.
 */
import { csvLineOf, guarded, unguarded } from "@/core/csv/cells";
import { type ColumnKind, type FileLink, isLinkColumn, LINK_COLUMNS, type LinkColumn, linkColumns } from "./columns";
import { type ReadOutcome, readLinkFields } from "./read";

export const linksCsvHeader: string = csvLineOf(linkColumns);

/** One record with its line end. */
export const linkCsvLine = (link: FileLink): string => csvLineOf(linkColumns.map((column) => cellOf(link[column])));

function cellOf(value: FileLink[LinkColumn]): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "string" ? guarded(value) : JSON.stringify(value);
}

export interface LinksCsvHeader {
  /** What the columns are called that mean nothing to us; they are passed over. */
  unknown: string[];
  read(cells: readonly string[]): ReadOutcome;
}

/** Undefined for a header that is none of ours: every file has these. The columns may come in any order. */
export function readLinksHeader(header: readonly string[]): LinksCsvHeader | undefined {
  const names = header.map((name) => name.trim());
  if (!REQUIRED.every((name) => names.includes(name))) return undefined;
  return {
    unknown: names.filter((name) => !isLinkColumn(name)),
    read: (cells) => readLinkCells(names, cells),
  };
}

const REQUIRED: readonly LinkColumn[] = ["_id", "domain", "slug", "defaultUrl"];

/** Cells under names that mean nothing to us are passed over. */
export function readLinkCells(names: readonly string[], cells: readonly string[]): ReadOutcome {
  const fields: Record<string, unknown> = {};
  names.forEach((name, index) => {
    if (isLinkColumn(name)) fields[name] = readCell(LINK_COLUMNS[name], cells[index] ?? "");
  });
  return readLinkFields(fields);
}

/** What cannot be read stays text, which is told of as not being of the column's kind. */
function readCell(kind: ColumnKind, cell: string): unknown {
  switch (kind) {
    case "text":
      return cell === "" ? undefined : unguarded(cell);
    case "flag":
      return cell === "" ? undefined : (FLAGS.get(cell.trim().toLowerCase()) ?? cell);
    case "integer":
      return cell.trim() === "" ? undefined : /^\d+$/.test(cell.trim()) ? Number(cell) : cell;
    case "names":
      return cell.startsWith("[") ? fromJson(cell) : namesOf(unguarded(cell));
    case "list":
      return cell.trim() === "" ? [] : fromJson(cell);
    case "object":
      return cell.trim() === "" ? undefined : fromJson(cell);
    default:
      return kind satisfies never;
  }
}

/** A spreadsheet writes them in capitals. */
const FLAGS = new Map([
  ["true", true],
  ["false", false],
]);

/** As a person would write tags: `spring, mail`. */
const namesOf = (cell: string): string[] =>
  cell
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function fromJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
