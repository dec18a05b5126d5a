/**
 * What a request reveals about whether a person will read the response, and what that person wants. Places and tokens
 * depend only on this, because it is known immediately. What only shows over many visits is judged later
 * (`clicks/enrich/judge`); a token counts no more than the click it was given to.
 */
import { acceptsHtml } from "@/core/headers/accepts-html";
import { PURPOSE_HEADERS, type VisitRequest } from "@/core/routing/plain-visit";
import { parseUserAgent } from "@/platform/user-agent";

/**
 * True if the request says that it fetches ahead of a person, as browsers and previewers do in one of these headers.
 */
export const isPrefetch = (headers: VisitRequest["headers"]): boolean =>
  PURPOSE_HEADERS.some((name) => {
    const purpose = headers.get(name);
    return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
  });

/**
 * Returns a hash of the browser's brands, if it sends them (https://wicg.github.io/ua-client-hints/), else undefined.
 * It tells apart browsers whose User-Agent is the same by design.
 */
export function hintsOf(headers: VisitRequest["headers"]): string | undefined {
  const brands = headers.get("sec-ch-ua");
  return brands === null ? undefined : Bun.hash.crc32(brands).toString(36);
}

/** True if the visit may take one of the `maxClicks` places. */
export const isHuman = (request: Request): boolean =>
  request.method !== "HEAD" && !isPrefetch(request.headers) && !isBot(request.headers);

export const isBot = (headers: Headers): boolean => parseUserAgent(headers.get("user-agent") ?? "").bot !== null;

/** True if a person's browser navigates to the short URL. Only such visits see interstitial pages. */
export const isNavigation = (request: Request): boolean =>
  acceptsHtml(request.headers.get("accept")) && isHuman(request);

export const wantsJson = (headers: Headers): boolean =>
  !acceptsHtml(headers.get("accept")) && /\bjson\b/i.test(headers.get("accept") ?? "");

/**
 * True for Global Privacy Control (https://w3c.github.io/gpc/) and its predecessor: the visitor must not be reported
 * to anyone.
 */
export const refusesTracking = (headers: Headers): boolean =>
  headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
