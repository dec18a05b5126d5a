/**
 * Who a visitor is without saying who it is: the first 64 bits of HMAC-SHA256 under the stored visitor secret. The edge
 * uses it for splits and admissions, the click pipeline to count distinct visitors; both get the same key.
 */
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

/** The key as the signed 64-bit number that tables and sketches hold. */
export const visitorNumber = (key: string): bigint => BigInt.asIntN(KEY_BITS, BigInt(`0x${key}`));
