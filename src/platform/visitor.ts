/**
 * Who a visitor is without saying who it is: the first 64 bits of HMAC-SHA256 under the stored visitor secret. The edge
 * uses it for splits and admissions, the click pipeline to count distinct visitors; both get the same key.
 */
import { createBoundedMap } from "./bounded-map";
import { networkOf } from "./limits/address";

export type VisitorRotation = "none" | "daily";

export interface VisitorSecret {
  rotation: VisitorRotation;
  /** Keyed once; every visitor starts from a copy of it. */
  keyed: Bun.CryptoHasher;
}

export interface VisitorTraits {
  orgId: string;
  address: string;
  userAgent: string;
  /** Unix milliseconds; matters only when keys change by the day. */
  at: number;
  /** The caller's own name for the visitor, which stands in for address and user agent. */
  visitorId?: string;
}

const KEY_HEX_LENGTH = 16;
const DAY_MS = 86_400_000;
const KEY_BITS = 64;

export const visitorSecret = (bytes: Uint8Array, rotation: VisitorRotation): VisitorSecret => ({
  rotation,
  keyed: new Bun.CryptoHasher("sha256", bytes),
});

/** 16 hexadecimal characters. With `daily` rotation the same visitor has another key every UTC day. */
export function visitorKey({ keyed, rotation }: VisitorSecret, visitor: VisitorTraits): string {
  const { orgId, address, userAgent, visitorId, at } = visitor;
  // No address is called `id`, so that a visitor id cannot pose as someone's address and user agent.
  const traits = visitorId ? `${orgId}\0id\0${visitorId}` : `${orgId}\0${address}\0${userAgent}`;
  const text = rotation === "daily" ? `${traits}\0${Math.floor(at / DAY_MS)}` : traits;
  return keyed.copy().update(text).digest("hex").slice(0, KEY_HEX_LENGTH);
}

/**
 * Where visits come from, without saying where: of an IPv4 address, or of the /64 of an IPv6 one, as one household or server
 * is given. The same for all visits of the organization from there, for as long as visitors keep their keys; undefined
 * for what is no address. Remembers the last 16,384, since a key costs a microsecond.
 */
export function createAddressKeys({ keyed, rotation }: VisitorSecret) {
  const known = createBoundedMap<string, string>(ADDRESS_KEYS_MAX);
  return ({ orgId, address, at }: Pick<VisitorTraits, "orgId" | "address" | "at">): string | undefined => {
    const day = rotation === "daily" ? `\0${Math.floor(at / DAY_MS)}` : "";
    const traits = `${orgId} ${address}${day}`;
    const kept = known.get(traits);
    if (kept !== undefined) return kept;
    const network = networkOf(address);
    if (network === undefined) return undefined;
    // No address is called `network`: see `visitorKey`.
    const text = `${orgId}\0network\0${network}${day}`;
    const key = keyed.copy().update(text).digest("hex").slice(0, KEY_HEX_LENGTH);
    known.set(traits, key);
    return key;
  };
}

const ADDRESS_KEYS_MAX = 16_384;

/** The key as the signed 64-bit number that tables and sketches hold. */
export const visitorNumber = (key: string): bigint => BigInt.asIntN(KEY_BITS, BigInt(`0x${key}`));
