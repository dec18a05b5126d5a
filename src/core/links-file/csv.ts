/**
 * Links as CSV: scalars as plain text; tags, lists and objects as JSON. A cell without a value is empty, and empty
 * text is a lone apostrophe. Formulas are neutralized by an apostrophe, which reading removes.
 */
import { csvLineOf, guarded, unguarded } from "@/core/csv/cells";
import { FALSE_WORDS, TRUE_WORDS } from "@/core/csv/truth-words";
import { parseJson } from "@/core/parse-json";
import { type ColumnKind, type FileLink, isLinkColumn, LINK_COLUMNS, type LinkColumn, linkColumns } from "./columns";
import { type ReadOutcome, readLinkFields } from "./read";

export const linksCsvHeader: string = csvLineOf(linkColumns);

/** Returns one record with its line ending. */
export const linkCsvLine = (link: FileLink): string => csvLineOf(linkColumns.map((column) => cellOf(link[column])));

function cellOf(value: FileLink[LinkColumn]): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "string" ? guarded(value) : JSON.stringify(value);
}

/** The columns may come in any order. Ignores cells in unknown ones. */
export function readLinkCells(names: readonly string[], cells: readonly string[]): ReadOutcome {
  const fields: Record<string, unknown> = {};
  names.forEach((name, index) => {
    if (isLinkColumn(name)) fields[name] = readCell(LINK_COLUMNS[name], cells[index] ?? "");
  });
  return readLinkFields(fields);
}

/** Leaves unreadable cells as text, which is then reported as being of the wrong kind. */
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

/** Looked up in lower case: spreadsheets write them in capitals. */
const FLAGS = new Map([
  ...TRUE_WORDS.map((word) => [word, true] as const),
  ...FALSE_WORDS.map((word) => [word, false] as const),
]);

/** Splits tags as a person would write them: `spring, mail`. */
const namesOf = (cell: string): string[] =>
  cell
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function fromJson(cell: string): unknown {
  try {
    return parseJson(cell);
  } catch {
    return cell;
  }
}
