/**
 * Recognizes the checks of load balancers that name no host, as HTTP/1.0 allows. Everything else needs one: it says
 * whose short URL is meant.
 */
const CHECKS = /^\/(?:health|ready)(?:\?|$)/;

/** A client can also make the URL relative by a host that is none; such a request is malformed. */
export const isCheckWithoutHost = ({ url, headers }: Request): boolean => CHECKS.test(url) && !headers.get("host");
