/**
 * Recognizes browsers in which a user signed in before. Someone who guesses an account's password uses up the
 * attempts that all unknown browsers share; a browser in which its user has signed in has a count of its own, so no
 * guesser can lock the user out.
 *
 * The browser carries the proof, in a cookie that scripts cannot read. For each of its accounts the cookie holds the
 * user id, the expiry, a random id and an HMAC over these and the password hash. An entry is therefore valid only for
 * that account, until it expires or the password changes, and only if this service made it; it signs nobody in.
 * Bounds: `ACCOUNTS_MAX` accounts in one cookie, the most recent ones. The server stores nothing, so a crash loses
 * nothing.
 */
import { timingSafeEqual } from "node:crypto";
import type { Clock } from "@/platform/clock";
import type { UserRow } from "@/platform/db/accounts/users";
import type { Keys } from "@/platform/keys";

export interface KnownBrowsersOptions {
  keys: Keys;
  clock: Clock;
  /** Whether the service is reached over HTTPS. */
  isSecure: boolean;
}

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

const ACCOUNTS_MAX = 5;
const LIFE_SECONDS = 180 * 86_400;
/** Paths that receive credentials: short links on the same host need not receive the cookie. */
const PATHS = ["/api/v1/auth", "/app"];

const USER_BYTES = 16;
const END_BYTES = 4;
const ID_BYTES = 8;
const SIGNED_BYTES = USER_BYTES + END_BYTES + ID_BYTES;
const MAC_BYTES = 16;

export function createKnownBrowsers({ keys, clock, isSecure }: KnownBrowsersOptions) {
  const name = isSecure ? "__Secure-wm_known" : "wm_known";
  const current = keys.current("known-browser");
  const previous = keys.previous("known-browser");
  const accepted = previous ? [current, previous] : [current];

  return {
    /** Returns the browser's id if this user has signed in with it. `cookies` is the request's header. */
    idOf(cookies: string | null | undefined, user: UserRow | undefined): string | undefined {
      if (!user?.passwordHash) return undefined;
      const own = entriesIn(cookies).find((entry) => isOf(entry, user) && isGenuine(entry, user.passwordHash ?? ""));
      return own && hex(own.subarray(USER_BYTES + END_BYTES, SIGNED_BYTES));
    },

    /** Returns the `Set-Cookie` values that make the browser known for this user as well. */
    remember(cookies: string | null | undefined, user: UserRow): string[] {
      const others = entriesIn(cookies).filter((entry) => !isOf(entry, user));
      const entries = [make(user), ...others].slice(0, ACCOUNTS_MAX);
      const value = entries.map((entry) => entry.toString("base64url")).join(".");
      const attributes = `Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
      return PATHS.map((path) => `${name}=${value}; Path=${path}; ${attributes}`);
    },
  };

  /** Returns the complete entries that have not expired, genuine or not. */
  function entriesIn(cookies: string | null | undefined): Buffer[] {
    const entries: Buffer[] = [];
    for (const pair of (cookies ?? "").split(";")) {
      const [key, value = ""] = pair.trim().split("=", 2);
      if (key !== name) continue;
      for (const text of value.split(".", ACCOUNTS_MAX)) {
        const entry = Buffer.from(text, "base64url");
        const isWhole = entry.length === SIGNED_BYTES + MAC_BYTES;
        if (isWhole && entry.readUInt32BE(USER_BYTES) > clock() / 1000) entries.push(entry);
      }
    }
    return entries;
  }

  function isGenuine(entry: Buffer, passwordHash: string): boolean {
    const [signed, mac] = [entry.subarray(0, SIGNED_BYTES), entry.subarray(SIGNED_BYTES)];
    return accepted.some((key) => timingSafeEqual(macOf(key, signed, passwordHash), mac));
  }

  function make(user: UserRow): Buffer {
    const signed = Buffer.alloc(SIGNED_BYTES);
    userBytes(user).copy(signed);
    signed.writeUInt32BE(Math.floor(clock() / 1000) + LIFE_SECONDS, USER_BYTES);
    crypto.getRandomValues(signed.subarray(USER_BYTES + END_BYTES));
    return Buffer.concat([signed, macOf(current, signed, user.passwordHash ?? "")]);
  }
}

const macOf = (key: Uint8Array, signed: Buffer, passwordHash: string): Buffer =>
  new Bun.CryptoHasher("sha256", key).update(signed).update(passwordHash).digest().subarray(0, MAC_BYTES);

const userBytes = ({ id }: UserRow): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

const isOf = (entry: Buffer, user: UserRow): boolean => entry.subarray(0, USER_BYTES).equals(userBytes(user));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
