/**
 * Gives what a form creates a key, by which the service recognizes the same input if it is sent again: if the response
 * was lost, sending the form once more creates nothing twice. Input that was changed since has a key of its own.
 */
import { isSame } from "../drafts/rebase";

interface Sent {
  body: object;
  key: string;
}

/** What each form sent last, unless it has been created. */
const unanswered = new Map<string, Sent>();

/** Calls `send` with the headers of this input. Each name belongs to exactly one form. */
export async function sendAgainSafely<Answer>(
  form: string,
  body: object,
  send: (headers: { "Idempotency-Key": string }) => Promise<Answer>,
): Promise<Answer> {
  const last = unanswered.get(form);
  const sent = last && isSame(last.body, body) ? last : { body, key: newKey() };
  unanswered.set(form, sent);
  const answer = await send({ "Idempotency-Key": sent.key });
  // The form may have sent something else since.
  if (unanswered.get(form) === sent) unanswered.delete(form);
  return answer;
}

/** Unlike UUIDs, this also exists on a page that is not served over https. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");
