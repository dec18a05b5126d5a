import { createHash, createHmac } from "node:crypto";
import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { idempotentAnswers } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/** How long a response is returned again. */
export const KEPT_MS = 24 * 3_600_000;
const DELETED_MAX = 2;

export type AnswerRow = typeof idempotentAnswers.$inferSelect;

/**
 * Claims the key and locks it until the transaction ends. Returns whether it was free; waits for another transaction
 * that has it.
 */
export async function claimKey(tx: Db, orgId: OrgId, request: KeyedRequest): Promise<boolean> {
  const { orgId: org, operation, keyHash, createdAt } = idempotentAnswers;
  const row = { bodyHash: hashOfBody(request), answer: null, etag: null, createdAt: new Date(request.now) };
  const claimed = await tx
    .insert(idempotentAnswers)
    .values({ orgId, operation: request.operation, keyHash: hashOfKey(request), ...row })
    .onConflictDoUpdate({ target: [org, operation, keyHash], set: row, setWhere: lte(createdAt, expiry(request.now)) })
    .returning({ createdAt });
  return claimed.length > 0;
}

export async function findAnswer(db: Db, orgId: OrgId, request: KeyedRequest): Promise<AnswerRow | undefined> {
  const isKept = gt(idempotentAnswers.createdAt, expiry(request.now));
  const [row] = await db
    .select()
    .from(idempotentAnswers)
    .where(and(ofKey(orgId, request), isKept));
  return row;
}

export const storeAnswer = (tx: Db, orgId: OrgId, request: KeyedRequest, answer: unknown, etag: string | null) =>
  tx.update(idempotentAnswers).set({ answer, etag }).where(ofKey(orgId, request));

/** Deletes up to `DELETED_MAX` expired answers that no other transaction is deleting. */
export async function deleteExpiredAnswers(tx: Db, now: number): Promise<void> {
  const place = sql`ctid`;
  const expired = tx
    .select({ place })
    .from(idempotentAnswers)
    .where(lte(idempotentAnswers.createdAt, expiry(now)))
    .limit(DELETED_MAX)
    .for("update", { skipLocked: true });
  await tx.delete(idempotentAnswers).where(inArray(place, expired));
}

const ofKey = (orgId: OrgId, request: KeyedRequest) =>
  and(
    eq(idempotentAnswers.orgId, orgId),
    eq(idempotentAnswers.operation, request.operation),
    eq(idempotentAnswers.keyHash, hashOfKey(request)),
  );

const expiry = (now: number) => new Date(now - KEPT_MS);

const hashOfKey = ({ key }: KeyedRequest): Buffer => createHash("sha256").update(key).digest();

/** Returns the HMAC of a body, which does not depend on the order of its fields. */
export const hashOfBody = ({ key, body }: KeyedRequest): Buffer =>
  createHmac("sha256", key)
    .update(JSON.stringify(ordered(body)) ?? "")
    .digest();

function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner)]));
}
