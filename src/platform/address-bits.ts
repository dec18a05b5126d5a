import { IPv6 } from "ipaddr.js";

const MAPPED_PREFIX = "::ffff:";

/** An IPv4 address as an unsigned number, also when it is mapped into IPv6; an IPv6 address as 16 bytes; else undefined. */
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
