/** Links as JSON lines: one object per line, with fields in column order, without those that have no value. */
import { type FileLink, linkColumns } from "./columns";

/** Returns one record with its line ending. */
export const linkJsonLine = (link: FileLink): string =>
  `${JSON.stringify(Object.fromEntries(linkColumns.map((column) => [column, link[column]])))}\n`;
