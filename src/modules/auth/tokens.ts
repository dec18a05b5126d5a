/** Session tokens: JWT (HS256) of `@elysiajs/jwt`, signed with the current key, accepted under the previous one too. */
import { jwt } from "@elysiajs/jwt";
import { t } from "elysia";
import { isUuid } from "@/core/ids";
import type { Keys } from "@/platform/keys";

export const SESSION_SECONDS = 12 * 3600;

const ALGORITHM = "HS256";

export interface SessionClaims {
  sub: string;
  sid: string;
}

export interface SessionTokens {
  sign(claims: SessionClaims): Promise<string>;
  /** Undefined for anything but a genuine, unexpired session token. */
  verify(token: string): Promise<SessionClaims | undefined>;
}

const claimsSchema = t.Object({
  sub: t.String(),
  sid: t.String(),
  typ: t.Literal("session"),
});

const signerOf = (secret: Uint8Array) =>
  jwt({
    name: "sessionToken",
    secret,
    alg: ALGORITHM,
    exp: `${SESSION_SECONDS}s`,
    schema: claimsSchema,
  }).decorator.sessionToken;

export function createSessionTokens(keys: Keys): SessionTokens {
  const current = signerOf(keys.current("session"));
  const previousKey = keys.previous("session");
  const accepted = [current, ...(previousKey ? [signerOf(previousKey)] : [])];
  return {
    sign: (claims) => current.sign({ ...claims, typ: "session" }),
    async verify(token) {
      for (const signer of accepted) {
        const claims = await signer.verify(token, { algorithms: [ALGORITHM] });
        if (claims && isUuid(claims.sid)) return { sub: claims.sub, sid: claims.sid };
      }
      return undefined;
    },
  };
}
