/** IP addresses and networks as numbers, so that testing whether a network contains an address is a comparison. */
import ipaddr, { IPv6 } from "ipaddr.js";

const MAPPED_PREFIX = "::ffff:";

/**
 * Returns an IPv4 address, mapped into IPv6 or not, as an unsigned number, an IPv6 address as 16 bytes, and otherwise
 * undefined.
 */
export function mapAddress(address: string): number | number[] | undefined {
  if (!address.includes(":")) return readV4(address, 0);
  if (address.startsWith(MAPPED_PREFIX) && address.includes(".")) {
    const mapped = readV4(address, MAPPED_PREFIX.length);
    if (mapped !== undefined) return mapped;
  }
  const bytes = readPlainV6(address) ?? readAnyV6(address);
  return bytes && (isMapped(bytes) ? mappedV4(bytes) : bytes);
}

const DOT = 46;
const COLON = 58;
const ZERO = 48;
const NINE = 57;
const A = 97;
const F = 102;
const V6_BYTES = 16;
const GROUP_DIGITS_MAX = 4;
const NO_GAP = -1;

/** Reads exactly four decimal parts from `start` on, without allocating strings for them. */
function readV4(address: string, start: number): number | undefined {
  let bits = 0;
  let part = -1;
  let dots = 0;
  for (let at = start; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      part = Math.max(part, 0) * 10 + code - ZERO;
      if (part > 255) return undefined;
    } else if (code === DOT && part >= 0) {
      bits = bits * 256 + part;
      part = -1;
      dots += 1;
    } else {
      return undefined;
    }
  }
  return dots === 3 && part >= 0 ? bits * 256 + part : undefined;
}

/**
 * Reads eight groups, or fewer around one `::`, as servers and proxies write them. The library takes ten times as
 * long; it handles only addresses with zones or dots, and rejects what is not an address.
 */
function readPlainV6(address: string): number[] | undefined {
  const bytes: number[] = [];
  let gapAt = address.startsWith("::") ? 0 : NO_GAP;
  let at = gapAt === 0 ? 2 : 0;
  while (at < address.length) {
    const end = groupEnd(address, at);
    if (end === at || end - at > GROUP_DIGITS_MAX) return undefined;
    pushGroup(bytes, address, at, end);
    if (end === address.length) break;
    if (address.charCodeAt(end) !== COLON || end + 1 === address.length) return undefined;
    at = end + 1;
    if (address.charCodeAt(at) !== COLON) continue;
    if (gapAt !== NO_GAP) return undefined;
    gapAt = bytes.length;
    at += 1;
  }
  return gapAt === NO_GAP ? whole(bytes) : widened(bytes, gapAt);
}

function groupEnd(address: string, start: number): number {
  let end = start;
  while (hexDigit(address.charCodeAt(end)) >= 0) end += 1;
  return end;
}

function pushGroup(bytes: number[], address: string, start: number, end: number): void {
  let group = 0;
  for (let at = start; at < end; at += 1) group = group * 16 + hexDigit(address.charCodeAt(at));
  bytes.push(group >> 8, group & 255);
}

/** Returns -1 for anything but a hexadecimal digit, including NaN past the end. */
function hexDigit(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const lower = code | 32;
  return lower >= A && lower <= F ? lower - A + 10 : -1;
}

const whole = (bytes: number[]): number[] | undefined => (bytes.length === V6_BYTES ? bytes : undefined);

/** A `::` stands for at least one group. */
function widened(bytes: number[], gapAt: number): number[] | undefined {
  const missing = V6_BYTES - bytes.length;
  if (missing < 2) return undefined;
  return [...bytes.slice(0, gapAt), ...Array<number>(missing).fill(0), ...bytes.slice(gapAt)];
}

const readAnyV6 = (address: string): number[] | undefined =>
  IPv6.isValid(address) ? IPv6.parse(address).toByteArray() : undefined;

/** True for an IPv4 address mapped into IPv6: `::ffff:0:0/96`. */
const isMapped = (bytes: readonly number[]): boolean =>
  bytes[10] === 255 && bytes[11] === 255 && bytes.every((byte, at) => at >= 10 || byte === 0);

const mappedV4 = (bytes: readonly number[]): number => bytes.slice(12).reduce((bits, byte) => bits * 256 + byte, 0);

export interface Network {
  /** The network as it was written. */
  text: string;
  /** The first address, in the form that `mapAddress` returns. */
  start: number | number[];
  /** Prefix length in bits. */
  length: number;
}

const V4_BITS = 32;
const MAPPED_BITS = 96;

/** Reads an address, or a network in CIDR notation. Returns undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const isNetwork = text.includes("/");
  if (!(isNetwork ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text))) return undefined;
  const [address, length] = isNetwork ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), undefined];
  const bytes = address.toByteArray();
  const start = mapAddress(address.toString()) ?? bytes;
  const isMapped = typeof start === "number" && address.kind() === "ipv6";
  const bits = length ?? bytes.length * 8;
  return { text, start, length: isMapped ? Math.max(0, bits - MAPPED_BITS) : bits };
}

/** True if the network contains the address, which is in the form that `mapAddress` returns. */
export function contains({ start, length }: Pick<Network, "start" | "length">, candidate: number | number[]): boolean {
  if (typeof start === "number" || typeof candidate === "number") {
    if (typeof start !== typeof candidate) return false;
    return length === 0 || (Number(start) ^ Number(candidate)) >>> (V4_BITS - length) === 0;
  }
  const whole = length >> 3;
  const rest = 8 - (length & 7);
  if (start.slice(0, whole).some((byte, index) => byte !== candidate[index])) return false;
  return rest === 8 || (start[whole] ?? 0) >>> rest === (candidate[whole] ?? 0) >>> rest;
}
