import { mapAddress } from "@/core/networks";
import type { Limits, LimitVerdict } from "./limits";

const WINDOW_MS = 60_000;
const PER_MINUTE = 60;
const V6_NETWORK_BYTES = 8;
const V4_NETWORK_DIGITS = 6;
const UNREADABLE = "unreadable";

/**
 * Returns the key by which limits per address count: the IPv4 address, or the /64 of an IPv6 address, which is what
 * one household or server is assigned. An address behind a translator (`64:ff9b::/96`, RFC 6052) counts as the IPv4
 * address that it contains, because all of those share one /64. The key is hexadecimal and of a fixed length, so that
 * counters store a bounded amount. All texts that are not addresses share one key.
 */
export const limitedAddress = (address: string): string => networkOf(address) ?? UNREADABLE;

/** As `limitedAddress`, but undefined for a text that is not an address. */
export function networkOf(address: string): string | undefined {
  const bits = limitedBits(address);
  if (bits === undefined) return undefined;
  if (typeof bits === "number") return bits.toString(16).padStart(8, "0");
  return Buffer.from(bits.slice(0, V6_NETWORK_BYTES)).toString("hex");
}

/** As `limitedAddress`, but an IPv4 address counts as its /24: for what a person can do from a whole network. */
export function limitedNetwork(address: string): string {
  const bits = limitedBits(address);
  return typeof bits === "number"
    ? `${limitedAddress(address).slice(0, V4_NETWORK_DIGITS)}/24`
    : limitedAddress(address);
}

function limitedBits(address: string): number | number[] | undefined {
  const bits = mapAddress(address);
  if (!Array.isArray(bits) || TRANSLATED.some((byte, index) => byte !== bits[index])) return bits;
  return Buffer.from(bits).readUInt32BE(TRANSLATED.length);
}

const TRANSLATED = [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];

/** Returns a limit of 60 takes per minute and address, for what needs no credentials. `name` names the counter. */
export function addressLimiter(limits: Limits, name: string): (address: string) => Promise<LimitVerdict> {
  const limiter = limits.limiter({ name, windowMs: WINDOW_MS });
  return (address) => limiter.take(limitedAddress(address), PER_MINUTE);
}
