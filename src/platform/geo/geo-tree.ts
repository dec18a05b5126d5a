/**
 * Reads the search tree of a MaxMind DB file (format: https://maxmind.github.io/MaxMind-DB/). A node holds two
 * records, one for each value of the address's next bit. A record below the node count is another node, one equal to
 * it means that there is no data, and one above it points to data.
 */
interface TreeLayout {
  nodeCount: number;
  /** Bits per record: 24, 28 or 32. */
  recordSize: number;
  ipVersion: number;
}

export interface AddressTree {
  /**
   * Returns a pointer that stands for the data found, the same for all addresses that share it; undefined if there is
   * none.
   */
  walkV4(bits: number): number | undefined;
  walkV6(bytes: readonly number[]): number | undefined;
}

const BYTE_BITS = 8;
const V4_BITS = 32;
const V6_BYTES = 16;
/** Bytes of an IPv6 address that precede an embedded IPv4 address. */
const V4_PREFIX_BYTES = 12;

/** The first half of an IPv4 address is followed once for all addresses that share it: 65,536 nodes, 256 KB. */
const V4_SHARED_BITS = 16;
const NOT_WALKED = 0xffffffff;

/** Networks as providers assign them: /24 of IPv4, /48 of IPv6. They may contain more than one place. */
const V4_HOST_BITS = 8;
const V6_NET_BYTES = 6;

export function openTree(file: Uint8Array, { nodeCount, recordSize, ipVersion }: TreeLayout): AddressTree {
  const child = childReader(file, recordSize);
  const dataAt = (node: number) => (node > nodeCount ? node : undefined);

  /** Follows the bits of a number, from the one below `high` down to `low`. */
  const walkBits = (start: number, bits: number, high: number, low: number) => {
    let node = start;
    for (let bit = high - 1; bit >= low && node < nodeCount; bit -= 1) node = child(node, (bits >>> bit) & 1);
    return node;
  };
  const walkBytes = (start: number, bytes: readonly number[], from: number, to: number) => {
    let node = start;
    for (let at = from; at < to && node < nodeCount; at += 1) node = walkBits(node, bytes[at] ?? 0, BYTE_BITS, 0);
    return node;
  };

  /** In an IPv6 tree, IPv4 addresses are below 96 zero bits. */
  const rootV4 = ipVersion === 6 ? walkBytes(0, [], 0, V4_PREFIX_BYTES) : 0;
  const sharedV4 = new Uint32Array(1 << V4_SHARED_BITS).fill(NOT_WALKED);
  const [netsV4, netsV6] = [new LastNets(), new LastNets()];

  const nodeOfHalfV4 = (bits: number) => {
    const half = bits >>> V4_SHARED_BITS;
    if (sharedV4[half] === NOT_WALKED) sharedV4[half] = walkBits(rootV4, bits, V4_BITS, V4_SHARED_BITS);
    return sharedV4[half] ?? rootV4;
  };
  const walkNetV4 = (bits: number) => walkBits(nodeOfHalfV4(bits), bits, V4_SHARED_BITS, V4_HOST_BITS);

  return {
    walkV4: (bits) => {
      const net = bits >>> V4_HOST_BITS;
      const node = netsV4.get(net) ?? netsV4.set(net, walkNetV4(bits));
      return dataAt(walkBits(node, bits, V4_HOST_BITS, 0));
    },
    walkV6: (bytes) => {
      if (ipVersion !== 6) return undefined;
      const net = netV6(bytes);
      const node = netsV6.get(net) ?? netsV6.set(net, walkBytes(0, bytes, 0, V6_NET_BYTES));
      return dataAt(walkBytes(node, bytes, V6_NET_BYTES, V6_BYTES));
    },
  };
}

function netV6(bytes: readonly number[]): number {
  let net = 0;
  for (let at = 0; at < V6_NET_BYTES; at += 1) net = net * 256 + (bytes[at] ?? 0);
  return net;
}

const SLOT_BITS = 14;
const SLOTS = 1 << SLOT_BITS;
const NO_NET = -1;
/** 2³² divided by the golden ratio: spreads neighbouring networks over all slots. */
const SPREAD = 0x9e3779b1;

/**
 * Caches the nodes that the networks of recent visits lead to (16,384 of them, 192 KB), because other visits come
 * from the same networks. Each network has one slot, which holds the latest one that belongs there.
 */
class LastNets {
  readonly #nets = new Float64Array(SLOTS).fill(NO_NET);
  readonly #nodes = new Uint32Array(SLOTS);

  get(net: number): number | undefined {
    const slot = slotOf(net);
    return this.#nets[slot] === net ? this.#nodes[slot] : undefined;
  }

  set(net: number, node: number): number {
    const slot = slotOf(net);
    this.#nets[slot] = net;
    this.#nodes[slot] = node;
    return node;
  }
}

/** Returns the slot of a number of up to 48 bits, of which bitwise operators see only the lower 32. */
const slotOf = (net: number): number => Math.imul(net ^ (net / 0x1000000), SPREAD) >>> (32 - SLOT_BITS);

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
