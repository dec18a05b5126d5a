/**
 * True if a page of this very host sent the request. Browsers state this in a header that no script can set, or at
 * least state the origin. A request with neither counts as foreign.
 */
export function isSameOrigin({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = URL.parse(headers.get("origin") ?? "");
  return origin !== null && origin.host !== "" && origin.host === URL.parse(url)?.host;
}

/**
 * True if another site, or another host of the same site, made the browser send the request. Cross-site requests come
 * without this site's `SameSite=Strict` cookies.
 */
export function isCrossOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
