/** Tries again until it works: what Postgres being away asks of everything that needs it. */
const FIRST_WAIT_MS = 50;
const WAIT_MS_MAX = 2_000;

export class GaveUpError extends Error {
  override name = "GaveUpError";
}

/** Doubling waits of at most 2 s, each cut by up to a half at random. Rejects with `GaveUpError` once `signal` is aborted. */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
    if (signal.aborted) throw new GaveUpError("Stopped while Postgres was unavailable.");
    try {
      return await attempt();
    } catch (error) {
      onFailure(error);
    }
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
  }
}

/** Ends early when `signal` is aborted. */
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
