/**
 * Writes and reads archives in the form that every tar reads (POSIX ustar): only regular files, with names of at most
 * 100 characters. Entries are independent of each other, so they can be written one by one, even by different
 * servers.
 */

const BLOCK = 512;
const NAME_LENGTH_MAX = 100;
/** Twice the size of the largest entry that we write; a larger one is not ours. */
const CONTENT_BYTES_MAX = 256 * 1024 * 1024;

export interface TarFile {
  name: string;
  content: Uint8Array;
}

export class TarFault extends Error {
  override name = "TarFault";
}

/** The two zero blocks that end an archive. */
export const TAR_END = new Uint8Array(2 * BLOCK);

/** Builds one entry: header, content and padding. `at` is in Unix milliseconds; an entry stores whole seconds. */
export function tarEntry({ name, content }: TarFile, at: number): Uint8Array {
  if (name.length > NAME_LENGTH_MAX)
    throw new TarFault(`The name ${name} is longer than ${NAME_LENGTH_MAX} characters`);
  const entry = new Uint8Array(BLOCK + Math.ceil(content.length / BLOCK) * BLOCK);
  const put = (offset: number, text: string) => entry.set(new TextEncoder().encode(text), offset);
  put(0, name);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${octal(content.length, 11)}\0`);
  put(136, `${octal(Math.floor(at / 1_000), 11)}\0`);
  put(148, "        ");
  put(156, "0");
  put(257, "ustar\x0000");
  put(148, `${octal(sumOf(entry.subarray(0, BLOCK)), 6)}\0 `);
  entry.set(content, BLOCK);
  return entry;
}

const octal = (number: number, digits: number) => number.toString(8).padStart(digits, "0");

const sumOf = (header: Uint8Array) => header.reduce((sum, byte) => sum + byte, 0);

/**
 * Yields an archive's files one at a time as it streams in, without folders and other special entries. Throws
 * `TarFault`, also if the end is missing: a download that broke off between two files looks complete otherwise.
 */
export async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const pieces = new Pieces(chunks);
  for (;;) {
    const header = await pieces.take(BLOCK);
    if (!header) throw new TarFault("The archive is cut short");
    if (header.every((byte) => byte === 0)) return;
    const size = numberAt(header, 124, 12);
    if (!isSound(header) || size > CONTENT_BYTES_MAX) throw new TarFault("This is not an archive");
    const padded = await pieces.take(Math.ceil(size / BLOCK) * BLOCK);
    if (!padded) throw new TarFault("The archive is cut short");
    const isFile = header[156] === 0x30 || header[156] === 0;
    if (isFile) yield { name: textAt(header, 0, NAME_LENGTH_MAX), content: padded.subarray(0, size) };
  }
}

function isSound(header: Uint8Array): boolean {
  const blank = Uint8Array.from(header);
  blank.fill(0x20, 148, 156);
  return numberAt(header, 148, 8) === sumOf(blank);
}

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0[\s\S]*$/, "");

const numberAt = (bytes: Uint8Array, from: number, length: number): number =>
  Number.parseInt(textAt(bytes, from, length).trim() || "0", 8);

/** Splits a stream of chunks into pieces of the requested lengths. */
class Pieces {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Resolves to undefined if fewer bytes are left. */
  async take(length: number): Promise<Uint8Array | undefined> {
    while (this.#length < length) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#held.push(value);
      this.#length += value.length;
    }
    const all = joined(this.#held, this.#length);
    this.#held = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
