import { abortedError, OutboundError } from "./error";

export interface Deadline extends Disposable {
  /** Aborts with the `OutboundError` that says why: `timeout`, or `aborted` by the caller's own signal. */
  signal: AbortSignal;
  /** Settles as the work does, unless the deadline comes first. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** Ends after `ms`, or when `outer` aborts. */
export function startDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new OutboundError("timeout", `The request timed out after ${ms} ms`)),
    ms,
  );
  const abort = () => ending.abort(abortedError(outer?.reason));
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });
  const ended = new Promise<never>((_, reject) => {
    if (ending.signal.aborted) reject(ending.signal.reason);
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason), { once: true });
  });
  // Keeps a deadline that nothing races any more from counting as an unhandled rejection.
  ended.catch(() => {});
  return {
    signal: ending.signal,
    race: (work) => Promise.race([ended, work]),
    [Symbol.dispose]() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}
