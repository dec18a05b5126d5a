/**
 * Returns the ID by which a request is found in the log: the caller's own ID if it is well-formed, so that the logs
 * of both sides can be matched, or else a new one.
 */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get("x-request-id");
  return given && /^[\w.-]{1,64}$/.test(given) ? given : Bun.randomUUIDv7();
}
