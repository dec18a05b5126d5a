/**
 * Codes for dashboards on other hosts. A code appears in a URL and is therefore worth nothing without a secret: it is
 * good for one exchange, within a minute, with the verifier of the challenge that the dashboard gave when the sign-in
 * began. The database stores hashes. The first exchange uses a code up, whether its verifier is right or wrong;
 * expired codes are deleted when the next one is issued.
 */
import { createHash } from "node:crypto";
import { and, eq, gt, lte } from "drizzle-orm";
import type { Clock } from "@/platform/clock";
import { ssoCodes } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const LIFE_MS = 60_000;
const CODE_BYTES = 32;
const URL_SAFE = { alphabet: "base64url", omitPadding: true } as const;

type CodeRow = typeof ssoCodes.$inferSelect;
export type Vouched = Pick<CodeRow, "orgId" | "issuer" | "userId" | "codeChallenge">;

export type Codes = ReturnType<typeof createCodes>;

export const createCodes = ({ db, clock }: { db: Db; clock: Clock }) => ({
  /** Issues a code for the user that the provider vouched for. */
  async issue(vouched: Vouched): Promise<string> {
    const code = crypto.getRandomValues(new Uint8Array(CODE_BYTES)).toBase64(URL_SAFE);
    const [now, expiresAt] = [new Date(clock()), new Date(clock() + LIFE_MS)];
    await db.delete(ssoCodes).where(lte(ssoCodes.expiresAt, now));
    await db
      .insert(ssoCodes)
      .values({ ...vouched, id: Bun.randomUUIDv7(), hash: hashOf(code), createdAt: now, expiresAt });
    return code;
  },

  /** Uses the code up. Returns undefined if it is unknown, expired, or the verifier does not match its challenge. */
  async redeem(code: string, codeVerifier: string): Promise<CodeRow | undefined> {
    const isOpen = and(eq(ssoCodes.hash, hashOf(code)), gt(ssoCodes.expiresAt, new Date(clock())));
    const [row] = await db.delete(ssoCodes).where(isOpen).returning();
    return row?.codeChallenge === challengeOf(codeVerifier) ? row : undefined;
  },
});

/** PKCE's S256 (RFC 7636, section 4.2). */
const challengeOf = (codeVerifier: string): string => createHash("sha256").update(codeVerifier).digest("base64url");

const hashOf = (code: string): Uint8Array => new Bun.CryptoHasher("sha256").update(code).digest();
