/**
 * Executes a request once, however often it is sent: its answer is stored under its key, in the transaction of what
 * it did, and returned again for 24 hours. Of two concurrent requests, the second waits for the first to commit and
 * returns the first's answer; if the first fails, the second is executed instead. Failures are not stored.
 *
 * An answer that shows a secret is sealed under a key that is derived from the service's secret and the client's
 * `Idempotency-Key`, of which only the hash is stored. A copy of the database does not open it, and with the service's
 * secret only if the client's key can be guessed.
 *
 * Bounds: one row per key. Each new row deletes up to two expired ones, so there are never many more than one day
 * adds; a periodic job deletes the others.
 */
import type { OrgId } from "@/core/ids";
import { conflict, invalid } from "@/http/errors";
import { entityTagOf, withTag } from "@/http/headers/entity-tag";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

/** Returns the stored answer of the request, if there is one. Throws 400 if it was stored for another body. */
export async function replayAnswer<Answer extends object>(
  db: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
): Promise<Answer | undefined> {
  const row = request && (await store.findAnswer(db, orgId, request));
  return row && answerOf<Answer>(row, orgId, request);
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
    return answerOf<Answer>(row, orgId, request);
  }
  const answer = await work();
  await store.storeAnswer(tx, orgId, request, stored(answer, orgId, request), entityTagOf(answer) ?? null);
  await store.deleteExpiredAnswers(tx, request.now);
  return answer;
}

/** Runs `work` like `answerOnce`, in a transaction of its own. */
export const transactOnce = <Answer extends object>(
  db: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
  work: (tx: Db) => Promise<Answer>,
): Promise<Answer> => db.transaction((tx) => answerOnce(tx, orgId, request, () => work(tx)));

/** Returns the stored answer, whose shape the operation knows, with the tag that it had. */
function answerOf<Answer extends object>(
  { bodyHash, answer, etag }: store.AnswerRow,
  orgId: OrgId,
  request: KeyedRequest,
): Answer {
  if (!store.hashOfBody(request).equals(bodyHash)) {
    throw invalid(["Idempotency-Key: already used with a different body"], "This Idempotency-Key was already used");
  }
  const shown = (request.seal ? opened(answer, orgId, request) : answer) as Answer;
  return etag === null ? shown : withTag(shown, () => etag);
}

const placeOf = (orgId: OrgId, { operation }: KeyedRequest) =>
  `idempotent_answers.answer:${orgId} ${operation}` as const;

function stored(answer: object, orgId: OrgId, request: KeyedRequest): unknown {
  if (!request.seal) return answer;
  const sealed = request.seal.close(JSON.stringify(answer), placeOf(orgId, request));
  return Buffer.from(sealed).toString("base64");
}

/** Throws 409 if the service's secret was replaced since. */
function opened(answer: unknown, orgId: OrgId, request: KeyedRequest): unknown {
  const text = request.seal?.open(Buffer.from(String(answer), "base64"), placeOf(orgId, request));
  if (text === undefined) {
    throw conflict("This request was executed before, but its response can no longer be read", [
      "Idempotency-Key: find in the list what it created, or use another key",
    ]);
  }
  return JSON.parse(text);
}
