/**
 * A sign-in under way, kept by the browser that began it and by nothing else: sealed in a cookie, so that any server can
 * finish it and no other browser can. It lives ten minutes. A second sign-in in the same browser takes the place of the
 * first. That it is finished once is the provider's doing, whose codes work once; the cookie is taken back besides.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { cookiesNamed } from "@/http/session-cookie";
import type { Clock } from "@/platform/clock";
import type { Seal } from "@/platform/seal";
import { SsoFailure } from "./failure";

const LIFE_SECONDS = 600;
const PATH = "/api/v1/auth/sso";
const PLACE = "sso attempt";
/** Browsers keep none larger. */
const COOKIE_BYTES_MAX = 4096;

const SignInAttempt = Type.Object({
  orgId: Type.String(),
  issuer: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  /** The verifier of PKCE. */
  verifier: Type.String(),
  returnTo: Type.String(),
  /** The dashboard on another host, and the challenge by which it will prove to be the one that began. */
  elsewhere: Type.Union([Type.Null(), Type.Object({ dashboard: Type.String(), codeChallenge: Type.String() })]),
  /** Unix milliseconds. */
  expiresAt: Type.Integer(),
});
export type SignInAttempt = Static<typeof SignInAttempt>;

export interface AttemptOptions {
  seal: Seal;
  clock: Clock;
  /** Whether the service is reached by https. */
  isSecure: boolean;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts({ seal, clock, isSecure }: AttemptOptions) {
  const name = isSecure ? "__Secure-wm_sso" : "wm_sso";
  const cookie = (value: string, seconds: number) =>
    `${name}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

  return {
    /** The `Set-Cookie` that keeps a sign-in which begins now. */
    keep(attempt: Omit<SignInAttempt, "expiresAt">): string {
      const whole: SignInAttempt = { ...attempt, expiresAt: clock() + LIFE_SECONDS * 1000 };
      const sealed = seal.close(JSON.stringify(whole), PLACE);
      return cookie(Buffer.from(sealed).toString("base64url"), LIFE_SECONDS);
    },

    /** The `Set-Cookie` that takes it back. */
    forget: (): string => cookie("", 0),

    /** The sign-in that this browser began and that the answer is to. Throws `state_mismatch` and `sign_in_expired`. */
    resume(cookies: string | null, answer: URLSearchParams): SignInAttempt {
      const attempt = kept(cookies ?? "");
      const [state, ...others] = answer.getAll("state");
      if (!attempt || !state || others.length > 0 || !isSame(state, attempt.state)) {
        throw new SsoFailure("state_mismatch");
      }
      if (clock() >= attempt.expiresAt) throw new SsoFailure("sign_in_expired");
      return attempt;
    },
  };

  function kept(cookies: string): SignInAttempt | undefined {
    const [value, ...others] = cookiesNamed(name, cookies);
    if (!value || others.length > 0 || value.length > COOKIE_BYTES_MAX) return undefined;
    const sealed = Buffer.from(value, "base64url");
    // The decoder passes over what does not fit at the end: one cookie, one way to write it.
    if (sealed.toString("base64url") !== value) return undefined;
    const text = seal.open(sealed, PLACE);
    const attempt: unknown = text === undefined ? undefined : JSON.parse(text);
    return Value.Check(SignInAttempt, attempt) ? attempt : undefined;
  }
}

/** In the same time whatever differs. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => createHash("sha256").update(text).digest();
