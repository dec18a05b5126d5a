/**
 * Who asks: what a request tells of whether a person will read the answer, and what that person wants. Places and tokens go
 * by this alone, since it is known at once; what is read off many visits is judged behind (`clicks/enrich/judge`), and a token
 * counts no more than the click it was given to.
 */
import { PURPOSE_HEADERS, type VisitRequest } from "@/core/routing/plain-visit";
import { parseUserAgent } from "@/platform/user-agent";

/** Browsers and previewers that fetch ahead of a person say so in one of these. */
export const isPrefetch = (headers: VisitRequest["headers"]): boolean =>
  PURPOSE_HEADERS.some((name) => {
    const purpose = headers.get(name);
    return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
  });

/**
 * What a browser's brand comes to, where it sends one (https://wicg.github.io/ua-client-hints/): it tells browsers apart
 * whose User-Agent is the same by design. Undefined where it sends none.
 */
export function hintsOf(headers: VisitRequest["headers"]): string | undefined {
  const brands = headers.get("sec-ch-ua");
  return brands === null ? undefined : Bun.hash.crc32(brands).toString(36);
}

/** Whose visit may take one of the places of `maxClicks`. */
export const isHuman = (request: Request): boolean =>
  request.method !== "HEAD" && !isPrefetch(request.headers) && !isBot(request.headers);

export const isBot = (headers: Headers): boolean => parseUserAgent(headers.get("user-agent") ?? "").bot !== null;

/** A person's browser that goes to the short URL itself: whom pages on the way are for. */
export const isNavigation = (request: Request): boolean => acceptsHtml(request.headers) && isHuman(request);

const HTML = /text\/html(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

const acceptsHtml = (headers: Headers): boolean => HTML.test(headers.get("accept") ?? "");

export const wantsJson = (headers: Headers): boolean =>
  !acceptsHtml(headers) && /\bjson\b/i.test(headers.get("accept") ?? "");

/** Global Privacy Control (https://w3c.github.io/gpc/) and its forerunner: nobody is to be told of this visitor. */
export const refusesTracking = (headers: Headers): boolean =>
  headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
