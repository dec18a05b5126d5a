/**
 * Recognizes, by their first bytes, files that cannot be a list of links: compressed ones, whose content could be far
 * larger than any limit, and those of another kind, of which a missing column would be a strange thing to say.
 */
const UNPACK = "unpack it and upload what is in it";
const WANTED = "upload the links as CSV, JSON or an SQL dump of YOURLS";

/** Signs are written one character a byte. */
const SIGNS: readonly (readonly [sign: string, fault: string])[] = [
  ["PK\x03\x04", `it is a ZIP archive or a spreadsheet: ${UNPACK}, or save it as CSV`],
  ["\x1f\x8b", `it is compressed with gzip: ${UNPACK}`],
  ["\xfd7zXZ", `it is compressed with xz: ${UNPACK}`],
  ["\x28\xb5\x2f\xfd", `it is compressed with Zstandard: ${UNPACK}`],
  ["7z\xbc\xaf", `it is a 7-Zip archive: ${UNPACK}`],
  ["Rar!\x1a\x07", `it is a RAR archive: ${UNPACK}`],
  ["\xd0\xcf\x11\xe0", "it is a spreadsheet of Excel: save it as CSV"],
  ["\x89PNG", `it is a PNG image: ${WANTED}`],
  ["\xff\xd8\xff", `it is a JPEG image: ${WANTED}`],
  ["GIF8", `it is a GIF image: ${WANTED}`],
  ["%PDF-", `it is a PDF document: ${WANTED}`],
  ["{\\rtf", `it is a text document (RTF): ${WANTED}`],
  ["SQLite format 3\0", `it is a SQLite database: ${WANTED}`],
];
const SIGN_BYTES_MAX = 16;

/** A page that a browser saved in place of a file: often the one to sign in. */
const MARKUP = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\b|html\b|\?xml\b|!--)/i;
const MARKUP_FAULT = `it is a web page or XML: ${WANTED}`;
const MARKUP_BYTES_MAX = 1_024;

/** Returns what kind of file it is, and what is wanted instead; undefined for one that may be text. */
export function noTextFault(head: Uint8Array): string | undefined {
  const begin = Buffer.from(head.subarray(0, MARKUP_BYTES_MAX)).toString("latin1");
  const sign = begin.slice(0, SIGN_BYTES_MAX);
  return SIGNS.find(([bytes]) => sign.startsWith(bytes))?.[1] ?? (MARKUP.test(begin) ? MARKUP_FAULT : undefined);
}
