/** Recognizes compressed files by their first bytes. What is in them could be far larger than any limit. */
const SIGNS: readonly (readonly [bytes: readonly number[], fault: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    "it is a ZIP archive or a spreadsheet: unpack it and upload what is in it, or save it as CSV",
  ],
  [[0x1f, 0x8b], "it is compressed with gzip: unpack it and upload what is in it"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "it is compressed with xz: unpack it and upload what is in it"],
  [[0x28, 0xb5, 0x2f, 0xfd], "it is compressed with Zstandard: unpack it and upload what is in it"],
  [[0x37, 0x7a, 0xbc, 0xaf], "it is a 7-Zip archive: unpack it and upload what is in it"],
  [[0xd0, 0xcf, 0x11, 0xe0], "it is a spreadsheet of Excel: save it as CSV"],
];

/** Returns undefined for a file that is not compressed. */
export const packingFault = (head: Uint8Array): string | undefined =>
  SIGNS.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1];
