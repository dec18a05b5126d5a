/** Cells of CSV (RFC 4180) that a spreadsheet may open, and that come back as they were. */

export type Cell = string | number | null;

/**
 * What a spreadsheet would take for a formula when it opens the file. Some drop spaces, controls and characters that nobody
 * sees before they look, and take the fullwidth and small forms of a sign for the sign.
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;
const NEEDS_QUOTES = /[",\r\n]/;
const APOSTROPHES = /^'*/;

/** One record with its line end. Text that starts like a formula gets an apostrophe in front; numbers stay numbers. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(",")}\r\n`;

function field(cell: Cell): string {
  if (cell === null || cell === "") return "";
  return typeof cell === "number" ? String(cell) : quoted(guarded(cell));
}

export const csvLineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(",")}\r\n`;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Neutralises a formula. Text that looks neutralised already gets one more apostrophe, so that `unguarded` undoes each. */
export const guarded = (text: string): string => (needsGuard(text) ? `'${text}` : text);

export const unguarded = (cell: string): string =>
  cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell;

/** Empty text counts: an apostrophe alone tells it from a cell without a value. */
function needsGuard(text: string): boolean {
  const bare = text.replace(APOSTROPHES, "");
  return bare === "" || FORMULA.test(bare);
}
