export const IMPORT_SOURCES = [
  ...(["firebase", "dub", "shlink", "bitly", "yourls", "kutt", "sink", "rebrandly", "shortio"] as const),
  "csv",
] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];
