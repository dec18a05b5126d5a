/**
 * Adds visitors to encoded sketches without decoding them. A batch adds a few visitors to each of thousands of
 * sketches, and decoding and encoding a sketch costs a hundred times as much as inserting a key in place.
 */
import { exactMax, PRECISION, SKETCH_FORMAT } from "./uniques";
import { packedSize, raisePacked } from "./uniques-registers";

const { version, headerBytes, keyBytes, exact, registers } = SKETCH_FORMAT;
const EXACT_MAX = exactMax(PRECISION);

/**
 * Returns what encoding would return after these hashes were added to the stored sketch, or to a new one if `stored`
 * is null. May change and return `stored`, which must belong to the caller. Returns undefined and changes nothing if
 * `stored` is not what `encodeSketch` makes at the current precision.
 */
export function encodedWith(stored: Uint8Array | null, hashes: BigUint64Array): Uint8Array | undefined {
  if (!stored) return withKeys(headed(exact, 0), hashes);
  if (stored[0] !== version || stored[2] !== PRECISION) return undefined;
  const body = stored.length - headerBytes;
  if (stored[1] === exact && body % keyBytes === 0 && body <= EXACT_MAX * keyBytes) return withKeys(stored, hashes);
  return stored[1] === registers && body === packedSize(PRECISION) ? withRaised(stored, hashes) : undefined;
}

function headed(state: number, bodyBytes: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes + bodyBytes);
  bytes[0] = version;
  bytes[1] = state;
  bytes[2] = PRECISION;
  return bytes;
}

/** For each new key: the stored key that it goes before, and (in `news`) which of the hashes it is. */
const places = new Int32Array(EXACT_MAX + 1);
const news = new Int32Array(EXACT_MAX + 1);

function withKeys(stored: Uint8Array, hashes: BigUint64Array): Uint8Array {
  const added = sortedHalves(hashes);
  const sizeBefore = (stored.length - headerBytes) / keyBytes;
  const count = findPlaces(stored, sizeBefore, added, hashes.length);
  if (count === 0) return stored;
  if (sizeBefore + count > EXACT_MAX) return withRaised(registersOf(stored), hashes);
  const bytes = headed(exact, (sizeBefore + count) * keyBytes);
  let from: number = headerBytes;
  let to: number = headerBytes;
  for (let index = 0; index < count; index++) {
    const until = headerBytes + (places[index] ?? 0) * keyBytes;
    if (until > from) bytes.set(stored.subarray(from, until), to);
    to += until - from;
    from = until;
    const hash = 2 * (news[index] ?? 0);
    putHalf(bytes, to, added[hash + 1] ?? 0);
    putHalf(bytes, to + 4, added[hash] ?? 0);
    to += keyBytes;
  }
  if (from < stored.length) bytes.set(stored.subarray(from), to);
  return bytes;
}

/** Fills `places` and `news` and returns how many keys are new. Stops once there are too many to store as keys. */
function findPlaces(stored: Uint8Array, size: number, added: Uint32Array, addedSize: number): number {
  let count = 0;
  let place = 0;
  for (let index = 0; index < 2 * addedSize && size + count <= EXACT_MAX; index += 2) {
    const low = added[index] ?? 0;
    const high = added[index + 1] ?? 0;
    if (index > 0 && added[index - 1] === high && added[index - 2] === low) continue;
    place = firstNotBelow(stored, place, size, high, low);
    const at = headerBytes + place * keyBytes;
    if (place < size && halfAt(stored, at) === high && halfAt(stored, at + 4) === low) continue;
    places[count] = place;
    news[count++] = index / 2;
  }
  return count;
}

function firstNotBelow(stored: Uint8Array, from: number, size: number, high: number, low: number): number {
  let first = from;
  let end = size;
  while (first < end) {
    const middle = (first + end) >>> 1;
    const at = headerBytes + middle * keyBytes;
    const other = halfAt(stored, at);
    if (other < high || (other === high && halfAt(stored, at + 4) < low)) first = middle + 1;
    else end = middle;
  }
  return first;
}

function registersOf(keys: Uint8Array): Uint8Array {
  const bytes = headed(registers, packedSize(PRECISION));
  const packed = bytes.subarray(headerBytes);
  for (let at = headerBytes; at < keys.length; at += keyBytes) {
    raisePacked(packed, PRECISION, halfAt(keys, at), halfAt(keys, at + 4));
  }
  return bytes;
}

function withRaised(stored: Uint8Array, hashes: BigUint64Array): Uint8Array {
  const packed = stored.subarray(headerBytes);
  const added = halvesOf(hashes);
  for (let at = 0; at < added.length; at += 2) raisePacked(packed, PRECISION, added[at + 1] ?? 0, added[at] ?? 0);
  return stored;
}

/** Reads single bytes, because views are objects, and the first view of an array moves the array's memory. */
const halfAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;

function putHalf(bytes: Uint8Array, at: number, half: number): void {
  bytes[at] = half >>> 24;
  bytes[at + 1] = half >>> 16;
  bytes[at + 2] = half >>> 8;
  bytes[at + 3] = half;
}

const FEW = 32;
const few = new Uint32Array(2 * FEW);

/**
 * Returns the pairs of `halvesOf` in ascending order. Anything after them is left over from earlier calls. Valid
 * until the next call.
 */
function sortedHalves(hashes: BigUint64Array): Uint32Array {
  if (hashes.length > FEW) return halvesOf(hashes.slice().sort());
  const halves = halvesOf(hashes);
  for (let from = 0; from < halves.length; from += 2) {
    const low = halves[from] ?? 0;
    const high = halves[from + 1] ?? 0;
    let to = from;
    for (; to > 0; to -= 2) {
      const other = few[to - 1] ?? 0;
      if (other < high || (other === high && (few[to - 2] ?? 0) <= low)) break;
      few[to] = few[to - 2] ?? 0;
      few[to + 1] = other;
    }
    few[to] = low;
    few[to + 1] = high;
  }
  return few;
}

/** Returns pairs of halves, the lower half first, as memory has them. Creates no bigints. */
const halvesOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);
