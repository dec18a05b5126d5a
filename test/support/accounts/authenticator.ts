/** An authenticator app, implemented from RFC 6238 without code of the service, and an account that uses one. */
import { createHmac } from "node:crypto";
import type { Account, TestService } from "../service";

export const STEP_MS = 30_000;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the six digits for this time, in Unix milliseconds. */
export function codeAt(secret: string, at: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)));
  const digest = createHmac("sha1", bytesOf(secret)).update(step).digest();
  const start = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Returns six digits that are not the code of any step within two steps of this time. */
export function wrongCodeAt(secret: string, at: number): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, at + steps * STEP_MS));
  const wrong = ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code));
  if (!wrong) throw new Error("Every code is right");
  return wrong;
}

export interface TwoFactorAccount extends Account {
  secret: string;
  recoveryCodes: string[];
}

/**
 * Enables two-factor authentication. Uses the code of the step before `at`, so that the code of `at` remains valid
 * for signing in. If that step is too old by now because another one has begun, uses the code of `at`.
 */
export async function withTwoFactor(service: TestService, account: Account, at: number): Promise<TwoFactorAccount> {
  const { token } = account;
  const setup = await service.call<{ secret: string }>("POST", "/api/v1/auth/2fa/setup", { token });
  const { secret } = setup.body;
  const enableWith = (code: string) =>
    service.call<{ recoveryCodes: string[] }>("POST", "/api/v1/auth/2fa/enable", { token, body: { code } });
  const first = await enableWith(codeAt(secret, at - STEP_MS));
  const enabled = first.status === 400 ? await enableWith(codeAt(secret, at)) : first;
  if (enabled.status !== 200) throw new Error(`enable answered ${enabled.status}: ${JSON.stringify(enabled.body)}`);
  return { ...account, secret, recoveryCodes: enabled.body.recoveryCodes };
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
