/**
 * Makes and verifies tokens of accounts: JWT (HS256) of `@elysiajs/jwt`, signed with the current key, also accepted
 * under the previous one. Each type is accepted where it is asked for and nowhere else.
 *
 * The plugin gives its signer here instead of being used by the app: it would put one signer into the context of every
 * route, while these are three types under two keys, which services make and read without a route.
 */
import { jwt } from "@elysiajs/jwt";
import { t } from "elysia";
import { isUuid } from "@/core/ids";
import type { Keys } from "@/platform/keys";

export const SESSION_SECONDS = 12 * 3600;
export const CHALLENGE_SECONDS = 5 * 60;
const EMAIL_TOKEN_SECONDS = 7 * 24 * 3600;

const ALGORITHM = "HS256";

export interface TokenClaims {
  /** Identifies the user. */
  sub: string;
  /** The session, or the sign-in that waits for its second factor; the user once more where there is neither. */
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

/** The key is imported once: the library would otherwise do so for each token. */
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

function createTokens(keys: Keys, typ: TokenType, seconds: number): Tokens {
  // Made when first asked for: a start needs none of them.
  const signer = (key: Uint8Array) => {
    let made: ReturnType<typeof signerOf> | undefined;
    return () => (made ??= signerOf(key, typ, seconds));
  };
  const current = signer(keys.current("session"));
  const previousKey = keys.previous("session");
  const accepted = previousKey ? [current, signer(previousKey)] : [current];
  return {
    sign: async (claims) => (await current()).sign({ ...claims, typ }),
    async verify(token) {
      for (const signerOfKey of accepted) {
        const claims = await (await signerOfKey()).verify(token, { algorithms: [ALGORITHM] });
        if (claims && isUuid(claims.sid)) return { sub: claims.sub, sid: claims.sid };
      }
      return undefined;
    },
  };
}
