/** Links as JSON lines: one object per line, with fields in column order, without those that have no value. */
import { type FileLink, linkColumns } from "./columns";
import { type ReadOutcome, readLinkFields } from "./read";

/** Returns one record with its line ending. */
export const linkJsonLine = (link: FileLink): string =>
  `${JSON.stringify(Object.fromEntries(linkColumns.map((column) => [column, link[column]])))}\n`;

export function readLinkJsonLine(line: string): ReadOutcome {
  const value = parsed(line);
  return isRecord(value) ? readLinkFields(value) : { faults: ["expected a JSON object"] };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
