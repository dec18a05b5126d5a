/**
 * Reads the search tree of a MaxMind DB file (its format: https://maxmind.github.io/MaxMind-DB/). A node holds two
 * records, one for each value of the address's next bit: below the node count they are nodes, at it nothing, above it
 * data.
 */
interface TreeLayout {
  nodeCount: number;
  /** Bits of a record: 24, 28 or 32. */
  recordSize: number;
  ipVersion: number;
}

export interface AddressTree {
  /** A pointer that stands for the data found, the same for all addresses that share it. */
  walkV4(bits: number): number | undefined;
  walkV6(bytes: readonly number[]): number | undefined;
}

const V4_BITS = 32;
const V6_BITS = 128;

/** The first half of an IPv4 address is walked once for all that share it: 65,536 nodes, 256 KB. */
const V4_SHARED_BITS = 16;
const NOT_WALKED = 0xffffffff;

export function openTree(file: Uint8Array, { nodeCount, recordSize, ipVersion }: TreeLayout): AddressTree {
  const child = childReader(file, recordSize);
  const dataAt = (node: number) => (node > nodeCount ? node : undefined);

  const walk = (start: number, from: number, to: number, bitAt: (depth: number) => number) => {
    let node = start;
    for (let depth = from; depth < to && node < nodeCount; depth += 1) node = child(node, bitAt(depth));
    return node;
  };
  /** The same by the bits of a number, from the one below `high` down to `low`. */
  const walkBits = (start: number, bits: number, high: number, low: number) => {
    let node = start;
    for (let bit = high - 1; bit >= low && node < nodeCount; bit -= 1) node = child(node, (bits >>> bit) & 1);
    return node;
  };

  /** In a tree of IPv6, IPv4 addresses stand below 96 zero bits. */
  const rootV4 = ipVersion === 6 ? walk(0, 0, V6_BITS - V4_BITS, () => 0) : 0;
  const sharedV4 = new Uint32Array(1 << V4_SHARED_BITS).fill(NOT_WALKED);

  return {
    walkV4: (bits) => {
      const half = bits >>> V4_SHARED_BITS;
      let node = sharedV4[half] ?? NOT_WALKED;
      if (node === NOT_WALKED) {
        node = walkBits(rootV4, bits, V4_BITS, V4_SHARED_BITS);
        sharedV4[half] = node;
      }
      return dataAt(walkBits(node, bits, V4_SHARED_BITS, 0));
    },
    walkV6: (bytes) => {
      if (ipVersion !== 6) return undefined;
      return dataAt(walk(0, 0, V6_BITS, (depth) => ((bytes[depth >> 3] ?? 0) >>> (7 - (depth & 7))) & 1));
    },
  };
}

type ChildReader = (node: number, bit: number) => number;

function childReader(file: Uint8Array, recordSize: number): ChildReader {
  const at = (index: number) => file[index] ?? 0;
  const three = (index: number) => (at(index) << 16) | (at(index + 1) << 8) | at(index + 2);
  switch (recordSize) {
    case 24:
      return (node, bit) => three(node * 6 + bit * 3);
    case 28:
      // The middle byte holds the high four bits of both records.
      return (node, bit) => {
        const index = node * 7;
        const high = bit === 0 ? at(index + 3) >>> 4 : at(index + 3) & 15;
        return high * 0x1000000 + three(index + bit * 4);
      };
    case 32:
      return (node, bit) => at(node * 8 + bit * 4) * 0x1000000 + three(node * 8 + bit * 4 + 1);
    default:
      throw new Error(`MaxMind DB record size not supported: ${recordSize} bits`);
  }
}
