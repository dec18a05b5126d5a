import { mapAddress } from "../address-bits";
import type { Limits, Verdict } from "./limits";

const WINDOW_MS = 60_000;
const PER_MINUTE = 60;
const V6_NETWORK_BYTES = 8;
const V4_NETWORK_DIGITS = 6;
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

/** The same for what a person does from a whole network: an IPv4 address counts as its /24. */
export function limitedNetwork(address: string): string {
  const bits = mapAddress(address);
  return typeof bits === "number"
    ? `${limitedAddress(address).slice(0, V4_NETWORK_DIGITS)}/24`
    : limitedAddress(address);
}

/** How often one address may do what asks for no credentials: 60 times a minute. `name` names the counter. */
export function addressLimiter(limits: Limits, name: string): (address: string) => Promise<Verdict> {
  const limiter = limits.limiter({ name, windowMs: WINDOW_MS });
  return (address) => limiter.take(limitedAddress(address), PER_MINUTE);
}
