/**
 * Identifies a visitor without revealing who it is: by the first 64 bits of an HMAC-SHA256 under the stored visitor
 * secret. The edge uses this key for splits and admissions, the click pipeline to count distinct visitors; both get
 * the same key.
 */
import { DAY_MS } from "@/core/time/time-range";
import { networkOf } from "./limits/address";

export type VisitorRotation = "none" | "daily";

export interface VisitorSecret {
  rotation: VisitorRotation;
  /** Keyed once; each visitor's hash starts from a copy of it. */
  keyed: Bun.CryptoHasher;
}

export interface VisitorTraits {
  orgId: string;
  address: string;
  userAgent: string;
  /** Unix milliseconds; matters only if keys change daily. */
  at: number;
  /** The caller's own ID for the visitor, which replaces address and user agent. */
  visitorId?: string;
}

const KEY_HEX_LENGTH = 16;
const KEY_BITS = 64;
const HALF_BITS = 32n;
const LOW_HALF = 0xffffffffn;

export const visitorSecret = (bytes: Uint8Array, rotation: VisitorRotation): VisitorSecret => ({
  rotation,
  keyed: new Bun.CryptoHasher("sha256", bytes),
});

/** Returns 16 hexadecimal characters. With `daily` rotation, the same visitor has another key every UTC day. */
export function visitorKey({ keyed, rotation }: VisitorSecret, visitor: VisitorTraits): string {
  return keyed.copy().update(textOf(visitor, rotation)).digest("hex").slice(0, KEY_HEX_LENGTH);
}

/** A key as two unsigned 32-bit halves, so that counting millions of keys creates neither texts nor bigints. */
export interface NumberedKey {
  high: number;
  low: number;
}

/** Returns the number that `visitorNumber` returns for the same key. */
export const keyNumber = ({ high, low }: NumberedKey): bigint =>
  BigInt.asIntN(KEY_BITS, (BigInt(high) << HALF_BITS) | BigInt(low));

/** Accepts a signed or an unsigned number. */
export const keyOfNumber = (number: bigint): NumberedKey => ({
  high: Number(BigInt.asUintN(KEY_BITS, number) >> HALF_BITS),
  low: Number(number & LOW_HALF),
});

/** As `visitorKey`, at two thirds of the cost. */
export const numberedVisitorKey = ({ keyed, rotation }: VisitorSecret, visitor: VisitorTraits): NumberedKey =>
  numberedKey(keyed, textOf(visitor, rotation));

function textOf({ orgId, address, userAgent, visitorId, at }: VisitorTraits, rotation: VisitorRotation): string {
  // No address is called `id`, so a visitor ID cannot pose as someone's address and user agent.
  const traits = visitorId ? `${orgId}\0id\0${visitorId}` : `${orgId}\0${address}\0${userAgent}`;
  return rotation === "daily" ? `${traits}\0${Math.floor(at / DAY_MS)}` : traits;
}

/** The runtime requires room for the longest digest there is. */
const digest = new Uint8Array(64);
const halves = new DataView(digest.buffer);

function numberedKey(keyed: Bun.CryptoHasher, text: string): NumberedKey {
  keyed.copy().update(text).digest(digest);
  return { high: halves.getUint32(0), low: halves.getUint32(4) };
}

/**
 * Identifies the network that visits come from, without revealing it: an IPv4 address, or the /64 of an IPv6 address,
 * which is what one household or server is assigned. The key is the same for all visits of the organization from
 * there, for as long as visitors keep their keys; undefined for a text that is not an address.
 */
export function networkKey(
  secret: VisitorSecret,
  { orgId, address, at }: Pick<VisitorTraits, "orgId" | "address" | "at">,
): NumberedKey | undefined {
  const network = networkOf(address);
  if (network === undefined) return undefined;
  const day = dayOf(secret, at);
  // No address is called `network`: see `textOf`.
  return numberedKey(secret.keyed, `${orgId}\0network\0${network}${day === NO_DAY ? "" : `\0${day}`}`);
}

/** Returns the day for which keys are valid; always the same value if keys do not change. */
export const dayOf = ({ rotation }: VisitorSecret, at: number): number =>
  rotation === "daily" ? Math.floor(at / DAY_MS) : NO_DAY;

const NO_DAY = Number.NEGATIVE_INFINITY;

/** Returns the key as the signed 64-bit number that tables and sketches store. */
export const visitorNumber = (key: string): bigint => BigInt.asIntN(KEY_BITS, BigInt(`0x${key}`));

/** Returns the key of a stored number, signed or unsigned: 16 hexadecimal characters. */
export const visitorKeyText = (number: bigint): string =>
  BigInt.asUintN(KEY_BITS, number).toString(16).padStart(KEY_HEX_LENGTH, "0");

/** Identifies the database: each one has a visitor secret of its own, which its backups share. */
export const databaseOf = (visitorSecret: Uint8Array): string =>
  new Bun.CryptoHasher("sha256", visitorSecret).update("waymark spool").digest("hex").slice(0, DATABASE_HEX_LENGTH);

const DATABASE_HEX_LENGTH = 32;
