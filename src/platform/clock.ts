/** Returns Unix milliseconds. It is passed in wherever time matters, so that tests can set it. */
export type Clock = () => number;
export const systemClock: Clock = Date.now;
