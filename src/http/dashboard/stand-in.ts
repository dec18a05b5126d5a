/** Requests made inside the process in place of one that a client sent: the connection belongs to the client's. */
const originals = new WeakMap<Request, Request>();

/** Notes that `inner` stands in for `sent`. */
export const standIn = (inner: Request, sent: Request): Request => {
  originals.set(inner, sent);
  return inner;
};

/** The request that the client sent. */
export const sentFor = (request: Request): Request => originals.get(request) ?? request;
