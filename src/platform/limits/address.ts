import { mapAddress } from "../address-bits";

const V6_NETWORK_BYTES = 8;
const UNREADABLE = "unreadable";

/**
 * What a limit by address counts by: an IPv4 address, or the /64 of an IPv6 one, which is what one household or server is
 * given. Hexadecimal and of a fixed length, so that what counters keep is bounded. Whatever is no address counts as one.
 */
export function limitedAddress(address: string): string {
  const bits = mapAddress(address);
  if (bits === undefined) return UNREADABLE;
  if (typeof bits === "number") return bits.toString(16).padStart(8, "0");
  return Buffer.from(bits.slice(0, V6_NETWORK_BYTES)).toString("hex");
}
