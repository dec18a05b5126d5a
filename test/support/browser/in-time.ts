/** How long tests wait for a page to reach an expected state. */
export const TRIES_MS = 60_000;

/** Settles as the promise does, but rejects if that takes longer than `ms`. `lacking` says what did not happen. */
export function inTime<Value>(promise: Promise<Value>, ms: number, lacking: string): Promise<Value> {
  const { promise: inTime, resolve, reject } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => reject(new Error(lacking)), ms);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
  return inTime;
}
