/**
 * Encodes rows for `COPY … (format binary)`: nothing is escaped here, and Postgres parses neither times nor UUIDs.
 * Rows leave in chunks, so that Postgres works on one chunk while the next is encoded. A chunk is valid until the
 * next row begins.
 *
 * Postgres allows no NUL in text, so NULs are dropped; lone surrogates are encoded as U+FFFD.
 */

/** The signature, no flags, no header extension. */
const HEADER = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const END_OF_ROWS = -1;
const NULL = -1;
const CHUNK_BYTES = 256 * 1024;
/** More than all fixed-length fields of a row take. */
const ROOM_BYTES = 1_024;
const UTF8_BYTES_MAX = 3;
const SHORT_TEXT = 48;
const ASCII_MAX = 127;
const UUID_BYTES = 16;
/** The OID of the type `text`. */
const TEXT_TYPE = 25;
/** Postgres counts microseconds from the beginning of 2000. */
const EPOCH_MS = Date.UTC(2000);
const HALF = 2 ** 32;

const NIBBLES = new Uint8Array(128);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  NIBBLES[digit.charCodeAt(0)] = value;
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value;
}
const DASH = "-".charCodeAt(0);

export class BinaryRows {
  #bytes: Buffer;
  #end = 0;

  constructor(bytes = CHUNK_BYTES + CHUNK_BYTES / 16) {
    this.#bytes = Buffer.allocUnsafe(bytes + ROOM_BYTES);
  }

  begin(): void {
    this.shared(HEADER);
  }

  row(fields: number): void {
    this.#makeRoom(0);
    this.#end = this.#bytes.writeInt16BE(fields, this.#end);
  }

  finish(): void {
    this.row(END_OF_ROWS);
  }

  /** Whether there are enough bytes for a chunk. */
  get isFull(): boolean {
    return this.#end >= CHUNK_BYTES;
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#end);
    this.#end = 0;
    return taken;
  }

  null(): void {
    this.#length(NULL);
  }

  bool(value: boolean): void {
    this.#length(1);
    this.#bytes[this.#end++] = value ? 1 : 0;
  }

  int16(value: number): void {
    this.#length(2);
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
  }

  int32(value: number): void {
    this.#length(4);
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
  }

  int64(value: bigint): void {
    this.#length(8);
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
  }

  /** Writes a 64-bit number, given as its unsigned halves. */
  key({ high, low }: { high: number; low: number }): void {
    this.#length(8);
    this.#end = this.#bytes.writeUInt32BE(high, this.#end);
    this.#end = this.#bytes.writeUInt32BE(low, this.#end);
  }

  /** Writes an instant, given in Unix milliseconds. */
  instant(at: number): void {
    const ms = at - EPOCH_MS;
    // In two halves, because the microseconds of distant years are more than a number holds exactly.
    const high = Math.floor(ms / HALF);
    const low = (ms - high * HALF) * 1_000;
    this.#length(8);
    this.#bytes.writeInt32BE(high * 1_000 + Math.floor(low / HALF), this.#end);
    this.#end = this.#bytes.writeUInt32BE(low % HALF, this.#end + 4);
  }

  uuid(text: string): void {
    this.#length(UUID_BYTES);
    const bytes = this.#bytes;
    const end = this.#end + UUID_BYTES;
    for (let at = 0; this.#end < end; at += 2) {
      if (text.charCodeAt(at) === DASH) at++;
      bytes[this.#end++] = ((NIBBLES[text.charCodeAt(at)] ?? 0) << 4) | (NIBBLES[text.charCodeAt(at + 1)] ?? 0);
    }
  }

  text(text: string): void {
    if (text.length <= SHORT_TEXT && this.#putAscii(text)) return;
    const kept = text.includes("\0") ? text.replaceAll("\0", "") : text;
    this.#makeRoom(4 + kept.length * UTF8_BYTES_MAX);
    const length = this.#bytes.write(kept, this.#end + 4, "utf8");
    this.#bytes.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  /**
   * Writes short ASCII text, for which the runtime's own encoder takes longer to call. Returns false for other text,
   * and writes nothing.
   */
  #putAscii(text: string): boolean {
    this.#makeRoom(4 + text.length);
    const bytes = this.#bytes;
    const start = this.#end + 4;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0 || code > ASCII_MAX) return false;
      bytes[start + at] = code;
    }
    this.#length(text.length);
    this.#end += text.length;
    return true;
  }

  /** Writes null for empty and missing text. */
  textOrNull(text: string | null | undefined): void {
    if (text) this.text(text);
    else this.null();
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(4 + bytes.length);
    this.#length(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /**
   * Writes an array of text: its dimensions, whether it contains nulls, the type of its elements, their number and
   * the index of the first.
   */
  texts(texts: readonly string[]): void {
    const start = this.#end;
    this.#length(0);
    for (const each of texts.length > 0 ? [1, 0, TEXT_TYPE, texts.length, 1] : [0, 0, TEXT_TYPE]) {
      this.#end = this.#bytes.writeInt32BE(each, this.#end);
    }
    for (const text of texts) this.text(text);
    this.#bytes.writeInt32BE(this.#end - start - 4, start);
  }

  /** Appends fields that `fieldsOf` has encoded. */
  shared(fields: Uint8Array): void {
    this.#makeRoom(fields.length);
    this.#bytes.set(fields, this.#end);
    this.#end += fields.length;
  }

  #length(bytes: number): void {
    this.#end = this.#bytes.writeInt32BE(bytes, this.#end);
  }

  /** Also makes room for all fixed-length fields that follow. */
  #makeRoom(bytes: number): void {
    const wanted = this.#end + bytes + ROOM_BYTES;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * wanted);
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}

/** Yields a row of `fields` fields for each element, as `put` encodes it, in chunks. */
export function* binaryRows<Each>(
  all: readonly Each[],
  fields: number,
  put: (rows: BinaryRows, each: Each) => void,
): Generator<Uint8Array> {
  const rows = new BinaryRows();
  rows.begin();
  for (const each of all) {
    rows.row(fields);
    put(rows, each);
    if (rows.isFull) yield rows.take();
  }
  rows.finish();
  yield rows.take();
}

/** Encodes fields that many rows share, once. */
export function fieldsOf(put: (rows: BinaryRows) => void): Uint8Array {
  const rows = new BinaryRows(0);
  put(rows);
  return new Uint8Array(rows.take());
}
