/**
 * Makes and verifies account tokens: JWTs (HS256) by `@elysiajs/jwt`, signed with the current key and also accepted
 * under the previous one. Each type is accepted only where that type is expected.
 *
 * The plugin's signer is taken out of the plugin, which is not added to the app: it would put one signer into the
 * context of every route, while these are three types under two keys, which services make and verify outside of
 * routes.
 *
 * To check a signature takes longer than most of what a request does, so tokens that were verified are remembered until
 * they expire. Whether a session still exists is not up to its token: that is read on every request.
 */
import { jwt } from "@elysiajs/jwt";
import { t } from "elysia";
import { isUuid } from "@/core/ids";
import { createBoundedMap } from "@/platform/bounded-map";
import type { Keys } from "@/platform/keys";

export const SESSION_SECONDS = 12 * 3600;
export const CHALLENGE_SECONDS = 5 * 60;
const EMAIL_TOKEN_SECONDS = 7 * 24 * 3600;

const ALGORITHM = "HS256";
/** Tokens in use at a time. */
const VERIFIED_MAX = 2_000;

export interface TokenClaims {
  /** The user's id. */
  sub: string;
  /** The session, or the sign-in that waits for its second factor; the user's id again if there is neither. */
  sid: string;
}

export interface Tokens {
  sign(claims: TokenClaims): Promise<string>;
  /** Returns undefined for anything but a genuine, unexpired token of this type. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

export type SessionTokens = Tokens;
export type ChallengeTokens = Tokens;
export type EmailTokens = Tokens;

export const createSessionTokens = (keys: Keys): SessionTokens => createTokens(keys, "session", SESSION_SECONDS);
export const createChallengeTokens = (keys: Keys): ChallengeTokens =>
  createTokens(keys, "challenge", CHALLENGE_SECONDS);
export const createEmailTokens = (keys: Keys): EmailTokens => createTokens(keys, "email", EMAIL_TOKEN_SECONDS);

type TokenType = "session" | "challenge" | "email";

/** Imports the key once: from raw bytes the library would import it for every token. */
const signerOf = async (key: Uint8Array, typ: TokenType, seconds: number) =>
  jwt({
    name: "token",
    secret: await crypto.subtle.importKey("raw", key.slice(), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]),
    alg: ALGORITHM,
    exp: `${seconds}s`,
    schema: t.Object({ sub: t.String(), sid: t.String(), typ: t.Literal(typ) }),
  }).decorator.token;

interface Verified {
  claims: TokenClaims;
  /** Unix seconds. */
  expiresAt: number;
}

function createTokens(keys: Keys, typ: TokenType, seconds: number): Tokens {
  // Created on first use: a start needs none.
  const signer = (key: Uint8Array) => {
    let made: ReturnType<typeof signerOf> | undefined;
    return () => (made ??= signerOf(key, typ, seconds));
  };
  const current = signer(keys.current("session"));
  const previousKey = keys.previous("session");
  const accepted = previousKey ? [current, signer(previousKey)] : [current];
  const known = createBoundedMap<string, Verified>(VERIFIED_MAX);
  return {
    sign: async (claims) => (await current()).sign({ ...claims, typ }),
    async verify(token) {
      const verified = known.get(token) ?? (await verifySignature(token));
      return verified && verified.expiresAt > Date.now() / 1000 ? verified.claims : undefined;
    },
  };

  async function verifySignature(token: string): Promise<Verified | undefined> {
    for (const signerOfKey of accepted) {
      const claims = await (await signerOfKey()).verify(token, { algorithms: [ALGORITHM] });
      if (!claims || !isUuid(claims.sid)) continue;
      const verified = { claims: { sub: claims.sub, sid: claims.sid }, expiresAt: claims.exp ?? 0 };
      known.set(token, verified);
      return verified;
    }
    return undefined;
  }
}
