/**
 * A sign-in in progress. Only the browser that began it keeps it, sealed in a cookie, so that any server can finish
 * it and no other browser can. It lives ten minutes. A second sign-in in the same browser replaces the first. The
 * provider ensures that it finishes only once, because its codes work once; the cookie is cleared as well.
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
/** Browsers store no larger cookie. */
const COOKIE_BYTES_MAX = 4096;

const SignInAttempt = Type.Object({
  orgId: Type.String(),
  issuer: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  /** The PKCE verifier. */
  verifier: Type.String(),
  returnTo: Type.String(),
  /** The dashboard on another host, and the challenge with which it will prove that it began the sign-in. */
  elsewhere: Type.Union([Type.Null(), Type.Object({ dashboard: Type.String(), codeChallenge: Type.String() })]),
  /** Unix milliseconds. */
  expiresAt: Type.Integer(),
});
export type SignInAttempt = Static<typeof SignInAttempt>;

export interface AttemptOptions {
  seal: Seal;
  clock: Clock;
  /** Whether the service is reached over HTTPS. */
  isSecure: boolean;
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts({ seal, clock, isSecure }: AttemptOptions) {
  const name = isSecure ? "__Secure-wm_sso" : "wm_sso";
  const cookie = (value: string, seconds: number) =>
    `${name}=${value}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

  return {
    /** Returns the `Set-Cookie` that stores a sign-in that begins now. */
    keep(attempt: Omit<SignInAttempt, "expiresAt">): string {
      const whole: SignInAttempt = { ...attempt, expiresAt: clock() + LIFE_SECONDS * 1000 };
      const sealed = seal.close(JSON.stringify(whole), PLACE);
      return cookie(Buffer.from(sealed).toString("base64url"), LIFE_SECONDS);
    },

    /** Returns the `Set-Cookie` that clears it. */
    forget: (): string => cookie("", 0),

    /**
     * Returns the sign-in that this browser began and that the provider's response belongs to. Throws
     * `state_mismatch` and `sign_in_expired`.
     */
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
    // The decoder ignores stray bits at the end: accept only the one canonical encoding.
    if (sealed.toString("base64url") !== value) return undefined;
    const text = seal.open(sealed, PLACE);
    const attempt: unknown = text === undefined ? undefined : JSON.parse(text);
    return Value.Check(SignInAttempt, attempt) ? attempt : undefined;
  }
}

/** Compares in the same time wherever the two differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string) => createHash("sha256").update(text).digest();
