/** IP addresses and networks as numbers, so that whether one is within another is a comparison. */
import ipaddr, { IPv6 } from "ipaddr.js";

const MAPPED_PREFIX = "::ffff:";

/** Returns an IPv4 address as an unsigned number, also when mapped into IPv6; an IPv6 address as 16 bytes; else undefined. */
export function mapAddress(address: string): number | number[] | undefined {
  if (!address.includes(":")) return readV4(address, 0);
  if (address.startsWith(MAPPED_PREFIX) && address.includes(".")) return readV4(address, MAPPED_PREFIX.length);
  if (!IPv6.isValid(address)) return undefined;
  const parsed = IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? readV4(parsed.toIPv4Address().toString(), 0) : parsed.toByteArray();
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Four decimal parts and nothing else, read from `start` without making strings of the parts. */
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

export interface Network {
  /** As it was written. */
  text: string;
  /** As `mapAddress` reads one. */
  start: number | number[];
  /** Bits that count. */
  length: number;
}

const V4_BITS = 32;
const MAPPED_BITS = 96;

/** Reads an address, or a network in CIDR notation; undefined for anything else. */
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

/** Whether an address, as `mapAddress` reads it, is within the network. */
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
