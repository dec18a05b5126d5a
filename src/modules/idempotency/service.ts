/**
 * Executes a request once, however often it is sent: its answer is stored under its key, in the transaction of what
 * it did, and returned again for 24 hours. Of two concurrent requests, the second waits for the first to commit and
 * returns the first's answer; if the first fails, the second is executed instead. Failures are not stored.
 *
 * Bounds: one row per key. Each new row deletes up to two expired ones, so there are never many more than one day
 * adds.
 */
import type { OrgId } from "@/core/ids";
import { invalid } from "@/http/errors";
import { entityTagOf, withTag } from "@/http/headers/entity-tag";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

/** A request that has an `Idempotency-Key`. */
export interface KeyedRequest {
  /** The same key in another operation is a different key. */
  operation: string;
  key: string;
  /** The validated body: any JSON value. */
  body: unknown;
  /** Unix milliseconds. */
  now: number;
}

/** Returns the stored answer of the request, if there is one. Throws 400 if it was stored for another body. */
export async function replayAnswer<Answer extends object>(
  db: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
): Promise<Answer | undefined> {
  const row = request && (await store.findAnswer(db, orgId, request));
  return row && answerOf<Answer>(row, request);
}

/**
 * Runs `work` unless its answer is already stored under this key; always runs it without a key. Throws 400 like
 * `replayAnswer`.
 */
export async function answerOnce<Answer extends object>(
  tx: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!request) return work();
  if (!(await store.claimKey(tx, orgId, request))) {
    const row = await store.findAnswer(tx, orgId, request);
    if (!row) throw new Error("The idempotency key is claimed but has no stored response");
    return answerOf<Answer>(row, request);
  }
  const answer = await work();
  await store.storeAnswer(tx, orgId, request, answer, entityTagOf(answer) ?? null);
  await store.deleteExpiredAnswers(tx, request.now);
  return answer;
}

/** Returns the stored answer, whose shape the operation knows, with the tag that it had. */
function answerOf<Answer extends object>({ bodyHash, answer, etag }: store.AnswerRow, request: KeyedRequest): Answer {
  if (!store.hashOfBody(request).equals(bodyHash)) {
    throw invalid(["Idempotency-Key: already used with a different body"], "This Idempotency-Key was already used");
  }
  const shown = answer as Answer;
  return etag === null ? shown : withTag(shown, () => etag);
}
