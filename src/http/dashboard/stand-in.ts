/**
 * Tracks requests that are created inside the process in place of a client's. The connection belongs to the client's
 * request.
 */
const originals = new WeakMap<Request, Request>();

/** Records that `inner` stands in for `sent`. */
export const withOriginal = (inner: Request, sent: Request): Request => {
  originals.set(inner, sent);
  return inner;
};

/** Returns the request that the client sent. */
export const originalRequest = (request: Request): Request => originals.get(request) ?? request;
