/**
 * Creates and reads match tokens. A token is self-contained, so any server can match it before the click is in
 * Postgres. It has 22 bytes, or 30 characters of base64url, which is what an App Store campaign name leaves room for:
 *
 * | bytes | field |
 * |---|---|
 * | 0–3 | link number, up to 4,294,967,295 |
 * | 4–6 | minutes since 2020, up to November 2051 |
 * | 7 | outcome: 2 bits route kind, 6 bits position of rule or split target |
 * | 8–9 | milliseconds within the minute |
 * | 10–11 | the last 16 bits of the click's id, which are random |
 * | 12–21 | the first 80 bits of an HMAC of bytes 0–11 |
 *
 * The position is one in the link as it was. A claim does not look it up: the link may have changed since.
 */
import type { RouteKind } from "@/contract/links/links";
import { MINUTE_MS } from "./time/time-range";

export interface TokenFields {
  linkNumber: number;
  /** Unix milliseconds; a token stores whole minutes. */
  mintedAt: number;
  kind: RouteKind;
  /** `Route.position`. */
  position: number;
  /** Distinguishes tokens of the same minute and outcome, and identifies the click; see `nonceOf`. */
  nonce: number;
}

/** Returns an HMAC of at least `TAG_BYTES`, under a key that serves no other purpose. */
export type Sign = (bytes: Uint8Array) => Uint8Array;

/** The part of a click that a token identifies. */
export interface TokenClick {
  /** Unix milliseconds. */
  at: number;
  /** The last four hexadecimal digits of the click's id. */
  idEnd: string;
}

const ID_END_LENGTH = 4;
const ID_END_BITS = 16;
const BODY_BYTES = 12;
const TAG_BYTES = 10;
const EPOCH_MS = Date.UTC(2020);
const MINUTES_MAX = 2 ** 24 - 1;
const NUMBER_MAX = 2 ** 32 - 1;
const POSITION_MAX = 63;
const KINDS = ["default", "rule", "split", "store"] as const satisfies readonly RouteKind[];
const TEXT = /^[\w-]{30}$/;

/** Throws a RangeError if a field does not fit. */
export function mintToken(fields: Omit<TokenFields, "nonce">, nonce: number, sign: Sign): string {
  const token = new Uint8Array(BODY_BYTES + TAG_BYTES);
  const view = new DataView(token.buffer);
  const minute = within(Math.floor((fields.mintedAt - EPOCH_MS) / MINUTE_MS), MINUTES_MAX, "mintedAt");
  view.setUint32(0, within(fields.linkNumber, NUMBER_MAX, "linkNumber"));
  view.setUint16(4, minute >>> 8);
  view.setUint8(6, minute & 0xff);
  view.setUint8(7, (KINDS.indexOf(fields.kind) << 6) | within(fields.position, POSITION_MAX, "position"));
  view.setUint32(8, within(nonce, NUMBER_MAX, "nonce"));
  token.set(tagOf(token, sign), BODY_BYTES);
  return token.toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Returns null for anything that was not minted with the same key. The caller checks the token's age. Each token has
 * exactly one textual form, so the text can serve as the key of spent tokens.
 */
export function readToken(text: string, sign: Sign): TokenFields | null {
  if (!TEXT.test(text)) return null;
  const token = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  if (token.toBase64({ alphabet: "base64url", omitPadding: true }) !== text) return null;
  if (!isEqual(token.subarray(BODY_BYTES), tagOf(token, sign))) return null;
  const view = new DataView(token.buffer);
  const outcome = view.getUint8(7);
  return {
    linkNumber: view.getUint32(0),
    mintedAt: EPOCH_MS + ((view.getUint16(4) << 8) | view.getUint8(6)) * MINUTE_MS,
    kind: KINDS[outcome >>> 6] ?? "default",
    position: outcome & POSITION_MAX,
    nonce: view.getUint32(8),
  };
}

/** Returns bytes 8–11. `id` is a UUID. */
export function nonceOf({ at, id }: { at: number; id: string }): number {
  return (at % MINUTE_MS) * 2 ** ID_END_BITS + Number.parseInt(id.slice(-ID_END_LENGTH), 16);
}

/**
 * Returns the click that a token belongs to, or null if its nonce cannot identify one: tokens of earlier releases
 * have random nonces.
 */
export function clickOfToken({ mintedAt, nonce }: Pick<TokenFields, "mintedAt" | "nonce">): TokenClick | null {
  const ms = Math.floor(nonce / 2 ** ID_END_BITS);
  if (ms >= MINUTE_MS) return null;
  const idEnd = (nonce % 2 ** ID_END_BITS).toString(16).padStart(ID_END_LENGTH, "0");
  return { at: mintedAt + ms, idEnd };
}

function within(value: number, max: number, name: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new RangeError(`${name} ${value} does not fit a match token`);
}

function tagOf(token: Uint8Array, sign: Sign): Uint8Array {
  return sign(token.subarray(0, BODY_BYTES)).subarray(0, TAG_BYTES);
}

/** Takes the same time wherever the two differ. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}
