/**
 * The arithmetic of HyperLogLog registers, one byte each, for `figures/uniques`.
 *
 * The first `precision` bits of a key choose its register. The register keeps the greatest rank seen, which is the
 * position of the first one bit among the key's other bits.
 */

const KEY_BITS = 64;
/** The rank of a key is at most 64 - 4 + 1 = 61, so a register fits into six bits. */
const BITS_PER_REGISTER = 6;

export function packedSize(precision: number): number {
  return (2 ** precision * BITS_PER_REGISTER) / 8;
}

/** Adds a key, given by its two halves as unsigned 32-bit numbers. */
export function raiseRegister(registers: Uint8Array, precision: number, high: number, low: number): void {
  const index = high >>> (32 - precision);
  const rank = rankOf(precision, high, low);
  if (rank > (registers[index] ?? 0)) registers[index] = rank;
}

function rankOf(precision: number, high: number, low: number): number {
  const rest = high << precision;
  return rest === 0 ? 32 - precision + Math.clz32(low) + 1 : Math.clz32(rest) + 1;
}

/** Does the same as `raiseRegister` in packed registers. */
export function raisePacked(packed: Uint8Array, precision: number, high: number, low: number): void {
  const index = high >>> (32 - precision);
  const rank = rankOf(precision, high, low);
  const at = (index >>> 2) * 3;
  const shift = 18 - 6 * (index & 3);
  const four = ((packed[at] ?? 0) << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0);
  if (rank <= ((four >>> shift) & 63)) return;
  const raised = (four & ~(63 << shift)) | (rank << shift);
  packed[at] = raised >>> 16;
  packed[at + 1] = raised >>> 8;
  packed[at + 2] = raised;
}

/** The highest bit of each of four bytes. */
const HIGHEST_BITS = 0x80808080 | 0;

/**
 * Merges `source` into `target`, four registers at a time: no rank reaches the highest bit of a byte. Both must have
 * the same precision.
 */
export function mergeRegisters(target: Uint8Array, source: Uint8Array): void {
  const into = foursOf(target);
  const from = foursOf(source);
  for (let index = 0; index < into.length; index++) {
    const a = into[index] ?? 0;
    const b = from[index] ?? 0;
    const isLess = ~(((a | HIGHEST_BITS) - b) | 0) & HIGHEST_BITS;
    const mask = isLess | (isLess - (isLess >>> 7));
    into[index] = (a & ~mask) | (b & mask);
  }
}

const foursOf = ({ buffer, byteOffset, length }: Uint8Array) => new Int32Array(buffer, byteOffset, length / 4);

/** Returns the registers that the same keys would have left at a lower precision. */
export function foldRegisters(registers: Uint8Array, precision: number, lower: number): Uint8Array {
  const spare = precision - lower;
  const folded = new Uint8Array(2 ** lower);
  for (let index = 0; index < registers.length; index++) {
    const rank = registers[index] ?? 0;
    if (rank === 0) continue;
    const spareBits = index & (2 ** spare - 1);
    const lowerRank = spareBits === 0 ? spare + rank : spare - (32 - Math.clz32(spareBits)) + 1;
    const lowerIndex = index >>> spare;
    if (lowerRank > (folded[lowerIndex] ?? 0)) folded[lowerIndex] = lowerRank;
  }
  return folded;
}

/** Packs four registers into three bytes. */
export function packRegisters(registers: Uint8Array, packed: Uint8Array): void {
  for (let from = 0, to = 0; from < registers.length; from += 4, to += 3) {
    const a = registers[from] ?? 0;
    const b = registers[from + 1] ?? 0;
    const c = registers[from + 2] ?? 0;
    const d = registers[from + 3] ?? 0;
    packed[to] = (a << 2) | (b >>> 4);
    packed[to + 1] = ((b & 15) << 4) | (c >>> 2);
    packed[to + 2] = ((c & 3) << 6) | d;
  }
}

export function unpackRegisters(packed: Uint8Array, precision: number): Uint8Array {
  const registers = new Uint8Array(2 ** precision);
  for (let from = 0, to = 0; to < registers.length; from += 3, to += 4) {
    const a = packed[from] ?? 0;
    const b = packed[from + 1] ?? 0;
    const c = packed[from + 2] ?? 0;
    registers[to] = a >>> 2;
    registers[to + 1] = ((a & 3) << 4) | (b >>> 4);
    registers[to + 2] = ((b & 15) << 2) | (c >>> 6);
    registers[to + 3] = c & 63;
  }
  return registers;
}

/**
 * Estimates the number of keys with the improved raw estimator of Otmar Ertl, "New cardinality estimation algorithms
 * for HyperLogLog sketches" (arXiv:1702.01284, section 2, algorithms 5 and 6). It is unbiased from zero to 2^64,
 * without tables and without switching between estimators.
 */
export function estimateRegisters(registers: Uint8Array, precision: number): number {
  const size = registers.length;
  const ranks = KEY_BITS - precision;
  const counts = countRanks(registers, ranks + 2);
  let sum = size * tau(1 - (counts[ranks + 1] ?? 0) / size);
  for (let rank = ranks; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0));
  sum += size * sigma((counts[0] ?? 0) / size);
  return size ** 2 / (2 * Math.LN2 * sum);
}

function countRanks(registers: Uint8Array, kinds: number): Uint32Array {
  const counts = new Uint32Array(kinds);
  for (let index = 0; index < registers.length; index++) {
    const rank = registers[index] ?? 0;
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  return counts;
}

/** Corrects for registers that are still empty: x + Σ x^(2^k) 2^(k-1). */
function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let power = x;
  let weight = 1;
  let sum = x;
  for (let previous = Number.NaN; previous !== sum; ) {
    previous = sum;
    power *= power;
    sum += power * weight;
    weight += weight;
  }
  return sum;
}

/** Corrects for registers that are full: (1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3. */
function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let root = x;
  let weight = 1;
  let sum = 1 - x;
  for (let previous = Number.NaN; previous !== sum; ) {
    previous = sum;
    root = Math.sqrt(root);
    weight *= 0.5;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}
