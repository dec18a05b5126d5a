import { OutboundError } from "./error";

export interface Deadline extends Disposable {
  /** Aborted with the `OutboundError` that says why: `timeout`, or `aborted` by the caller's own signal. */
  signal: AbortSignal;
  /** What the work comes to, unless the deadline is there first. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** Ends after `ms`, or with the signal given. */
export function startDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new OutboundError("timeout", `It took longer than ${ms} ms`)), ms);
  const abort = () => ending.abort(asOutbound(outer?.reason));
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });
  const ended = new Promise<never>((_, reject) => {
    if (ending.signal.aborted) reject(ending.signal.reason);
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason), { once: true });
  });
  // A deadline that nobody races any more is nobody's failure.
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

const asOutbound = (reason: unknown): OutboundError =>
  reason instanceof OutboundError ? reason : new OutboundError("aborted", "The request was abandoned", reason);
