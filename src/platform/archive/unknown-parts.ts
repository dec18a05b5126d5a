/**
 * Collects what an archive contains and this version has no place for: a later version that wrote it may have added
 * tables, columns and files, and whoever imports it has to know that they are missing.
 */
import { plural } from "@/core/plural";
import { tableColumns } from "./tables";

/** The manifest, and links in a format for people, who find the same in the tables. */
const KNOWN_FILES = /^(?:manifest\.json|links\/\d+\.jsonl)$/;

export class UnknownParts {
  readonly #rows = new Map<string, number>();
  readonly #others = new Set<string>();

  /** `table` is undefined for a file that has no rows of one. */
  noteFile(name: string, table: string | undefined, rows: number): void {
    if (table !== undefined) this.#rows.set(table, (this.#rows.get(table) ?? 0) + rows);
    else if (!KNOWN_FILES.test(name)) this.#others.add(`file ${name}`);
  }

  /** All rows of a file have the same columns. */
  noteColumns(table: string, row: Record<string, unknown>): void {
    const known = tableColumns(table);
    for (const column of Object.keys(row))
      if (!known.includes(column)) this.#others.add(`column ${column} of ${table}`);
  }

  list(): string[] {
    const tables = [...this.#rows].map(([table, rows]) => `table ${table} with ${plural(rows, "row")}`);
    return [...tables, ...this.#others];
  }
}
