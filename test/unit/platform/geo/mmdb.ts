/** Writes small MaxMind DB files for tests (the format: https://maxmind.github.io/MaxMind-DB/). */
export type MmdbValue = string | number | boolean | MmdbValue[] | { [key: string]: MmdbValue };

export interface MmdbNetwork {
  /** The bits of the network as zeros and ones. */
  prefix: string;
  record: MmdbValue;
}

interface Node {
  0: Child;
  1: Child;
  isNode: true;
}
type Child = Node | MmdbValue | undefined;

const emptyNode = (): Node => ({ 0: undefined, 1: undefined, isNode: true });
const isNode = (child: Child): child is Node => typeof child === "object" && "isNode" in child;

const SEPARATOR = Buffer.alloc(16);
const MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");

/** `aliases` are IPv6 networks, as zeros and ones, under which the IPv4 addresses appear again. */
export function writeMmdb(
  networks: readonly MmdbNetwork[],
  recordSize: 24 | 28 | 32,
  ipVersion: 4 | 6,
  aliases: readonly string[] = [],
): Buffer {
  const root = emptyNode();
  const leaves = new Set<MmdbValue>();
  for (const { prefix, record } of networks) {
    plant(root, prefix, record);
    leaves.add(record);
  }
  for (const prefix of aliases) plant(root, prefix, nodeAt(root, "0".repeat(V4_ROOT_DEPTH)));
  const nodes = nodesOf(root);
  const offsets = new Map<Child, number>();
  const data: Buffer[] = [];
  for (const record of leaves) {
    offsets.set(record, Buffer.concat(data).length);
    data.push(encode(record));
  }
  const pointerOf = (child: Child) => {
    if (child === undefined) return nodes.length;
    return isNode(child) ? nodes.indexOf(child) : nodes.length + SEPARATOR.length + (offsets.get(child) ?? 0);
  };
  const tree = nodes.map((node) => nodeBytes(pointerOf(node[0]), pointerOf(node[1]), recordSize));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: "Test-City",
    description: {},
    ip_version: ipVersion,
    languages: ["en"],
    node_count: nodes.length,
    record_size: recordSize,
  });
  return Buffer.concat([...tree, SEPARATOR, ...data, MARKER, metadata]);
}

function plant(root: Node, prefix: string, record: MmdbValue | Node): void {
  const sides = Array.from(prefix, (bit) => (bit === "1" ? 1 : 0));
  const last = sides.pop() ?? 0;
  let node = root;
  for (const side of sides) {
    const next = node[side];
    const child = isNode(next) ? next : emptyNode();
    node[side] = child;
    node = child;
  }
  node[last] = record;
}

const V4_ROOT_DEPTH = 96;

function nodeAt(root: Node, prefix: string): Node {
  return Array.from(prefix).reduce((node, bit) => {
    const next = node[bit === "1" ? 1 : 0];
    if (!isNode(next)) throw new Error("There is no node");
    return next;
  }, root);
}

/** Returns all nodes, beginning with the root. */
const nodesOf = (node: Node): Node[] => [node, ...[node[0], node[1]].filter(isNode).flatMap(nodesOf)];

export function nodeBytes(left: number, right: number, recordSize: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordSize / 4);
  if (recordSize === 32) {
    bytes.writeUInt32BE(left, 0);
    bytes.writeUInt32BE(right, 4);
    return bytes;
  }
  bytes.writeUIntBE(left & 0xffffff, 0, 3);
  bytes.writeUIntBE(right & 0xffffff, recordSize === 24 ? 3 : 4, 3);
  if (recordSize === 28) bytes.writeUInt8(((left >>> 24) << 4) | (right >>> 24), 3);
  return bytes;
}

const STRING = 2;
const DOUBLE = 3;
const UINT32 = 6;
const MAP = 7;
const ARRAY = 11;
const BOOLEAN = 14;

function encode(value: MmdbValue): Buffer {
  if (typeof value === "string") return Buffer.concat([control(STRING, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") return encodeNumber(value);
  if (typeof value === "boolean") return control(BOOLEAN, Number(value));
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(MAP, entries.length),
    ...entries.flatMap(([key, item]) => [encode(key), encode(item)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  if (Number.isInteger(value)) {
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(UINT32, 4), bytes.subarray(0, 4)]);
  }
  bytes.writeDoubleBE(value);
  return Buffer.concat([control(DOUBLE, 8), bytes]);
}

/** Encodes type and size; sizes stay below 285 here. */
function control(type: number, size: number): Buffer {
  const isExtended = type > MAP;
  const short = Math.min(size, 29);
  const head = [((isExtended ? 0 : type) << 5) | short];
  if (isExtended) head.push(type - MAP);
  return Buffer.from(size >= 29 ? [...head, size - 29] : head);
}

/** Returns the bits of an IPv6 network, given by its groups of 16 bits. */
export const networkV6 = (groups: readonly number[], length: number): string =>
  groups
    .map((group) => group.toString(2).padStart(16, "0"))
    .join("")
    .padEnd(length, "0")
    .slice(0, length);

/** Returns the bits of an IPv4 network, preceded by 96 zeros in an IPv6 tree. */
export function networkV4(address: string, length: number, ipVersion: 4 | 6): string {
  const bits = address.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return "0".repeat(ipVersion === 6 ? 96 : 0) + bits.join("").slice(0, length);
}
