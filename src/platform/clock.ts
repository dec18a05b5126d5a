/** Unix milliseconds. Handed in wherever time matters, so that tests can set it. */
export type Clock = () => number;
export const systemClock: Clock = Date.now;
