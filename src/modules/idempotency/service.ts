/**
 * Requests that are done once, however often they are sent: the answer is kept with their key, in the transaction of what
 * they did, and given again for 24 hours. Of two at once, the second waits for the first to commit, and then has its
 * answer; if the first fails, the second is done in its place. Failures are not kept.
 *
 * Bounds: one row a key; with each new one two that are past their time are deleted, so that there are never many more
 * than a day brings.
 */
import type { OrgId } from "@/core/ids";
import { invalid } from "@/http/errors";
import type { Db } from "@/platform/db/tx";
import * as store from "./store";

/** Where an `Idempotency-Key` came with a request. */
export interface KeyedRequest {
  /** Keys of different operations have nothing to do with each other. */
  operation: string;
  key: string;
  /** As it was validated: anything that JSON can say. */
  body: unknown;
  /** Unix milliseconds. */
  now: number;
}

/** What the request was answered before, if it was. Throws 400 when it had another body then. */
export async function replayAnswer<Answer>(
  db: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
): Promise<Answer | undefined> {
  const row = request && (await store.findAnswer(db, orgId, request));
  return row && answerOf<Answer>(row, request);
}

/** Does the work unless it was done under this key; without a key always. Throws 400 as above. */
export async function answerOnce<Answer>(
  tx: Db,
  orgId: OrgId,
  request: KeyedRequest | undefined,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!request) return work();
  if (!(await store.claimKey(tx, orgId, request))) {
    const row = await store.findAnswer(tx, orgId, request);
    if (!row) throw new Error("An idempotency key was taken by an answer that is not there");
    return answerOf<Answer>(row, request);
  }
  const answer = await work();
  await store.keepAnswer(tx, orgId, request, answer);
  await store.deleteExpiredAnswers(tx, request.now);
  return answer;
}

/** The operation's own answer, whose shape it knows. */
function answerOf<Answer>({ bodyHash, answer }: store.AnswerRow, request: KeyedRequest): Answer {
  if (!store.hashOfBody(request).equals(bodyHash)) {
    throw invalid(["Idempotency-Key: already used with a different body"], "This Idempotency-Key was already used");
  }
  return answer as Answer;
}
