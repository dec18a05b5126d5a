/**
 * The stored form of a part: the lengths of its columns as JSON, then the columns one after another, all of it
 * compressed (Zstandard). Numbers are little-endian. Times are stored as differences.
 */
import { recordOf } from "@/contract/record-of";
import { COLUMN_NAMES, type ColumnName, type PlainColumn, type PlainPart, type ValueCodes } from "./click-columns";

const LENGTH_BYTES = 4;

interface CodedLengths {
  /** Bytes per code. */
  width: 1 | 2;
  codes: number;
  /** Bytes of all values. */
  values: number;
}

interface Header {
  rows: number;
  start: number;
  visitors: CodedLengths;
  columns: Record<ColumnName, CodedLengths & { count: number }>;
}

export async function packPart(part: PlainPart): Promise<Uint8Array> {
  const visitors = bytesIn(part.visitors);
  const header: Header = {
    rows: part.rows,
    start: part.start,
    visitors: lengthsOf(part.visitorCodes, visitors),
    columns: recordOf(COLUMN_NAMES, (name) => {
      const { codes, count, texts } = part.columns[name];
      return { ...lengthsOf(codes, texts), count };
    }),
  };
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Bun.zstdCompress(
    Buffer.concat([
      ...[length, head, bytesIn(differencesOf(part.at)), part.isBot],
      ...[bytesIn(part.visitorCodes), visitors],
      ...COLUMN_NAMES.flatMap((name) => [bytesIn(part.columns[name].codes), part.columns[name].texts]),
    ]),
  );
}

export async function unpackPart(packed: Uint8Array): Promise<PlainPart> {
  const bytes = await Bun.zstdDecompress(packed);
  const headEnd = LENGTH_BYTES + bytes.readUInt32LE(0);
  const header: Header = JSON.parse(bytes.toString("utf8", LENGTH_BYTES, headEnd));
  let place = headEnd;
  const take = (length: number) => {
    place += length;
    return bytes.subarray(place - length, place);
  };
  const { rows, start } = header;
  const at = timesOf(wordsOf(take(rows * Uint32Array.BYTES_PER_ELEMENT)));
  const isBot = copied(take(rows));
  const visitorCodes = codesOf(take(header.visitors.codes), header.visitors.width);
  const visitors = wordsOf(take(header.visitors.values));
  const columns = recordOf(COLUMN_NAMES, (name): PlainColumn => {
    const { width, codes, values, count } = header.columns[name];
    return { codes: codesOf(take(codes), width), count, texts: copied(take(values)) };
  });
  return { rows, start, at, isBot, visitorCodes, visitors, columns };
}

const lengthsOf = (codes: ValueCodes, values: Uint8Array): CodedLengths => ({
  width: codes instanceof Uint8Array ? 1 : 2,
  codes: codes.byteLength,
  values: values.byteLength,
});

const bytesIn = ({ buffer, byteOffset, byteLength }: ValueCodes | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Copies in a single step; `Uint8Array.from` goes byte by byte, and `slice` of a Buffer copies nothing. */
const copied = (bytes: Uint8Array) => new Uint8Array(bytes);

/** Copies, because the bytes may begin at any offset. */
const wordsOf = (bytes: Uint8Array) => new Uint32Array(copied(bytes).buffer);

function codesOf(bytes: Uint8Array, width: 1 | 2): ValueCodes {
  const copy = copied(bytes);
  return width === 1 ? copy : new Uint16Array(copy.buffer);
}

const differencesOf = (at: Uint32Array) => at.map((time, place) => time - (at[place - 1] ?? 0));

/** Converts in place. */
function timesOf(differences: Uint32Array): Uint32Array {
  for (let place = 1; place < differences.length; place++) {
    differences[place] = (differences[place] ?? 0) + (differences[place - 1] ?? 0);
  }
  return differences;
}
