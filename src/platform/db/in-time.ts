/**
 * Bounds how long a visitor waits for Postgres: well below the idle timeout of connections, after which there would be
 * no response at all, but not below what a crowd may take. What was asked of Postgres goes on: a place of `maxClicks`
 * that comes too late is lost.
 */
const WAIT_MS_MAX = 30_000;

/** Postgres has not answered in time, though it may be reachable. */
class TakesTooLongError extends Error {
  override name = "TakesTooLongError";
  readonly code = "TAKES_TOO_LONG";
}

/** Rejects if the work takes longer than a visitor waits. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(new TakesTooLongError("Postgres takes too long")), WAIT_MS_MAX);
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
