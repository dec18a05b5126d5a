/** Determines how long to leave a service alone whose quota is used up. */
const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 600_000;

/** Returns the milliseconds after a 429: as many seconds as `Retry-After` says, from one minute to ten. */
export function quotaPauseMs(retryAfter: string | null): number {
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
  return Math.min(Math.max(seconds * 1000, PAUSE_MS), PAUSE_MS_MAX);
}
