/**
 * Whether a form was sent by a page of the very host it came to. Browsers say so in a header that no script can set, or
 * at least name the origin; of a request that says neither nothing is known, and it is not from here.
 */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = URL.parse(headers.get("origin") ?? "");
  return origin !== null && origin.host !== "" && origin.host === URL.parse(url)?.host;
}

/** Tells whether another site sent the browser here, so that this site's cookies were not sent along. */
export function isFromElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
