/**
 * A token for a visitor who was admitted and has a form to fill in. It says which visit the form belongs to, so that
 * sending it takes no second place of `maxClicks`, asks for no password again and counts no second click. Visits that
 * continue in another browser have tokens with a different key (`./continued-visits`), which are invalid here.
 *
 * | bytes | field |
 * |---|---|
 * | 0–15 | the click's id |
 * | 16–23 | the visitor's key |
 * | 24–31 | when the visit was, Unix milliseconds |
 * | 32–37 | the key of the route that it was given (`./kept-route`); left out if that does not matter |
 * | the last 16 | the first 128 bits of an HMAC-SHA256 of the link's id, its password's hash and all bytes before |
 *
 * It is valid for an hour, and no longer than the link's password. Anyone who has it is taken for the visitor, as
 * with any link to a page; it opens only that one link.
 */
import { timingSafeEqual } from "node:crypto";
import type { LinkGate } from "@/core/routing/link";
import type { KeyPurpose, Keys } from "@/platform/keys";
import { ROUTE_KEY_BYTES } from "./kept-route";

export const VISIT_TOKEN_FIELD = "wm_pass";
const PASS = { purpose: "visit-pass", lifeMs: 3_600_000 } as const;
/** Milliseconds by which another server's clock may be ahead. */
const AHEAD_MS = 60_000;
const ROUTE_AT = 32;
const TAG_BYTES = 16;
const TEXT = /^(?:[\w-]{64}|[\w-]{72})$/;

export interface VisitToken {
  clickId: string;
  /** 16 hexadecimal digits. */
  visitorKey: string;
  /** Unix milliseconds. */
  at: number;
  /** As `routeKey` returns it; undefined in tokens of visits that are routed again, and of earlier releases. */
  route?: string | undefined;
}

export interface VisitTokenLink {
  id: string;
  gate: Pick<LinkGate, "passwordHash">;
}

export interface VisitTokens {
  make(link: VisitTokenLink, visitToken: VisitToken): string;
  /** Returns null if the token was made for another link or password, has expired, or was not made by this service. */
  read(text: string | null, link: VisitTokenLink, now: number): VisitToken | null;
}

interface VisitTokenKind {
  purpose: KeyPurpose;
  lifeMs: number;
}

export function createVisitTokens(keys: Keys, { purpose, lifeMs }: VisitTokenKind = PASS): VisitTokens {
  const current = keys.current(purpose);
  const accepted = [current, keys.previous(purpose)].filter((key) => key !== undefined);
  return {
    make(link, { clickId, visitorKey, at, route }) {
      const body = Buffer.alloc(route === undefined ? ROUTE_AT : ROUTE_AT + ROUTE_KEY_BYTES);
      body.write(clickId.replaceAll("-", ""), 0, "hex");
      body.write(visitorKey, 16, "hex");
      body.writeBigUInt64BE(BigInt(at), 24);
      if (route !== undefined) body.write(route, ROUTE_AT, "hex");
      return Buffer.concat([body, tagOf(current, link, body)]).toString("base64url");
    },
    read(text, link, now) {
      if (text === null || !TEXT.test(text)) return null;
      const bytes = Buffer.from(text, "base64url");
      const body = bytes.subarray(0, -TAG_BYTES);
      const tag = bytes.subarray(-TAG_BYTES);
      if (!accepted.some((key) => timingSafeEqual(tagOf(key, link, body), tag))) return null;
      const at = Number(body.readBigUInt64BE(24));
      if (at > now + AHEAD_MS || now - at > lifeMs) return null;
      return {
        clickId: uuidOf(body.toString("hex", 0, 16)),
        visitorKey: body.toString("hex", 16, 24),
        at,
        route: body.length > ROUTE_AT ? body.toString("hex", ROUTE_AT) : undefined,
      };
    },
  };
}

const tagOf = (key: Uint8Array, { id, gate }: VisitTokenLink, body: Uint8Array): Buffer =>
  new Bun.CryptoHasher("sha256", key)
    .update(`${id} ${gate.passwordHash ?? ""} `)
    .update(body)
    .digest()
    .subarray(0, TAG_BYTES);

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
