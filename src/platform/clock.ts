/** Returns Unix milliseconds. It is passed in wherever time matters, so that tests can set it. */
export type Clock = () => number;
export const systemClock: Clock = Date.now;

/**
 * What is due when its stored time is long enough ago may have been stored by a server whose clock was wrong, and a lease
 * while that of Postgres was. A time that is ahead by more than this counts as no time.
 */
export const AHEAD_MS_MAX = 3_600_000;

/** Returns the instant after which a stored time is not believed. */
export const latestBelieved = (now: number): Date => new Date(now + AHEAD_MS_MAX);

/** A time may be read this long before it is used, so that one that was read later is used first. */
const OUT_OF_ORDER_MS = 1_000;

/**
 * Returns a function that takes times as they are read from the clock, and goes on from the latest one when the clock
 * is set back. Use it to measure how old something is: otherwise, what should last seconds would last until the clock
 * shows the former time again.
 */
export function steadied(): (now: number) => number {
  let latest = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return (now) => {
    const backMs = latest - (now + aheadMs);
    if (backMs > OUT_OF_ORDER_MS) aheadMs += backMs;
    if (now + aheadMs > latest) latest = now + aheadMs;
    return now + aheadMs;
  };
}

/** Returns a clock that goes on when this one is set back. */
export function steadyClock(clock: Clock): Clock {
  const steady = steadied();
  return () => steady(clock());
}
