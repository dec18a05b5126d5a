/** What a request is found by in the log: the caller's own id where it is a sensible one, so that logs of both sides meet. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get("x-request-id");
  return given && /^[\w.-]{1,64}$/.test(given) ? given : Bun.randomUUIDv7();
}
