/**
 * Waits that an abort ends early. They leave nothing on the signal, which may live as long as the process:
 * `Promise.race` against a long-lived promise would keep each race and its result in memory.
 */

/** Waits `waitMs`, or until `signal` is aborted. */
export function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal.addEventListener("abort", end);
  });
}

/** Settles as `work` does, or rejects with the signal's reason as soon as `signal` is aborted. */
export async function unlessAborted<Result>(work: PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const abandon = () => reject(signal.reason);
  if (signal.aborted) abandon();
  signal.addEventListener("abort", abandon);
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}
