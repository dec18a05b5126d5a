/** CSV cells (RFC 4180) that are safe to open in a spreadsheet and can be read back unchanged. */

export type Cell = string | number | null;

/**
 * Text that a spreadsheet would take for a formula when it opens the file. Some spreadsheets first drop spaces,
 * control and invisible characters, and read the fullwidth and small forms of a sign as the sign.
 */
const FORMULA =
  /^(?:[\t\r\n]|[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;
const NEEDS_QUOTES = /[",\r\n]/;
const APOSTROPHES = /^'*/;

/**
 * Returns one record with its line ending. Text that starts like a formula gets a leading apostrophe; numbers stay
 * numbers.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(",")}\r\n`;

function field(cell: Cell): string {
  if (cell === null || cell === "") return "";
  return typeof cell === "number" ? String(cell) : quoted(guarded(cell));
}

export const csvLineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(",")}\r\n`;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Neutralizes a formula. Text that already looks neutralized gets another apostrophe, so that `unguarded` reverses
 * every case.
 */
export const guarded = (text: string): string => (needsGuard(text) ? `'${text}` : text);

export const unguarded = (cell: string): string =>
  cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell;

/** True for empty text, too: a lone apostrophe distinguishes it from a cell without a value. */
function needsGuard(text: string): boolean {
  const bare = text.replace(APOSTROPHES, "");
  return bare === "" || FORMULA.test(bare);
}
