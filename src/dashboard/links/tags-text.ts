/** Tags as the text of a field: separated by commas, and in quotes, as in a CSV file, if they contain one themselves. */

const TAGS = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g;

/** Returns the tags, or other values, without those that are blank. */
export const tagsOf = (text: string): string[] =>
  [...text.matchAll(TAGS)]
    .map(([, quoted, bare = ""]) => (quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim())
    .filter((tag) => tag !== "");

export const textOfTags = (tags: readonly string[]): string =>
  tags.map((tag) => (tag.includes(",") || tag.startsWith('"') ? `"${tag.replaceAll('"', '""')}"` : tag)).join(", ");
