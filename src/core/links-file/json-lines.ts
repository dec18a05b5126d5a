/** Links as JSON lines: one object a line, its fields in the order of the columns, and those without a value left out. */
import { type FileLink, linkColumns } from "./columns";
import { type ReadOutcome, readLinkFields } from "./read";

/** One record with its line end. */
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
