/**
 * What the `Host` header says beyond the request's URL. The checks of load balancers may name no host, as HTTP/1.0
 * allows. Everything else needs exactly one: it says whose short URL is meant.
 */
const CHECKS = /^\/(?:health|ready)(?:\?|$)/;

/** A client can also make the URL relative by a host that is none; such a request is malformed. */
export const isCheckWithoutHost = ({ url, headers }: Request): boolean => CHECKS.test(url) && !headers.get("host");

/** HTTP has a request with two of them refused (RFC 9112, 3.2): a proxy may go by the one, and its URL by the other. */
export const namesHostTwice = ({ headers }: Request): boolean => headers.get("host")?.includes(",") === true;
