/**
 * Recovery codes. Each replaces one code of the authenticator, once. A code is 80 random bits in an alphabet without
 * look-alikes (Crockford's base 32), so a plain SHA-256 reveals nothing about it.
 */
import { randomBytes } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { recoveryCodes } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const CODES = 10;
const CHARACTERS = 16;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const WELL_FORMED = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** Replaces the user's codes with ten new ones, to be shown only this once. */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode);
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ id: Bun.randomUUIDv7(), userId, hash: hashOf(code) })));
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

export const deleteRecoveryCodes = (tx: Db, userId: string) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));

/**
 * Uses up a recovery code. Returns whether it was one of the user's and unused: of several concurrent calls, only one
 * succeeds.
 */
export async function takeRecoveryCode(tx: Db, userId: string, typed: string, now: Date): Promise<boolean> {
  const code = normaliseCode(typed);
  if (!WELL_FORMED.test(code)) return false;
  const rows = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(code)), isNull(recoveryCodes.usedAt)))
    .returning({ id: recoveryCodes.id });
  return rows.length > 0;
}

function makeCode(): string {
  return Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Undoes differences between a code and what people type for it: case, spaces, hyphens and look-alikes. */
function normaliseCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
}

const hashOf = (code: string): Uint8Array => new Bun.CryptoHasher("sha256").update(code).digest();
