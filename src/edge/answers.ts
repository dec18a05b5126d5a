/** The edge's responses: the redirect, pages for visitors, and the refusal as a page or as the Error body. */
import { acceptsCoding } from "@/core/headers/accept-encoding";
import type { Route } from "@/core/routing/compiled-link";
import { refusalPage } from "./pages/refusal";
import { wantsJson } from "./person";
import { REFUSALS, type RefusalReason } from "./refusals";
import { type PageTheme, themeOf } from "./theme";

/** No cache keeps a redirect and no search engine lists it. The browser's default referrer policy applies. */
const REDIRECT_HEADERS = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer-when-downgrade",
};

/**
 * Copying prepared headers costs a third of building them from an object, and most visits lead to a route's own URL.
 * The whole response cannot be reused: the runtime sends a response's headers once.
 */
const prepared = new WeakMap<Route, ResponseInit>();

export function redirect(route: Route, location: string): Response {
  if (location !== route.url) return new Response(null, { status: 302, headers: { location, ...REDIRECT_HEADERS } });
  let init = prepared.get(route);
  if (!init) {
    init = { status: 302, headers: new Headers({ location, ...REDIRECT_HEADERS }) };
    prepared.set(route, init);
  }
  return new Response(null, init);
}

/**
 * Redirects after a form, which the browser then follows with GET. As the referrer it would send the form's page,
 * whose address may contain a password, so the destination gets only the origin.
 */
export const redirectAfterForm = (status: 302 | 303, location: string): Response =>
  new Response(null, {
    status,
    headers: { location, ...REDIRECT_HEADERS, "referrer-policy": "strict-origin-when-cross-origin" },
  });

/** Redirects to a URL instead of refusing. Returns undefined for methods that browsers do not navigate with. */
export function redirectInstead({ method }: Request, location: string): Response | undefined {
  if (method === "POST") return redirectAfterForm(303, location);
  if (method !== "GET" && method !== "HEAD") return undefined;
  return new Response(null, { status: 302, headers: { location, ...REDIRECT_HEADERS } });
}

const BASIC_HEADERS = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

export interface PageAnswer {
  status?: number;
  headers?: Record<string, string>;
  theme: PageTheme;
  /** Other origins from which the page may load images, or load scripts that may also send requests there. */
  hosts?: { images: readonly string[]; scripts: readonly string[] };
  html: string;
}

/**
 * Responds with a page whose content security policy allows only styles and scripts that carry its nonce, images from
 * its own host, and `hosts`. For HEAD, the runtime leaves out the body, and states the length that it has.
 */
export function answerPage(request: Request, { status = 200, headers, theme, hosts, html }: PageAnswer): Response {
  const isSmall = html.length <= SENT_PLAIN || !acceptsCoding(request.headers.get("accept-encoding"), "gzip");
  return new Response(isSmall ? html : Bun.gzipSync(html, { level: 3 }), {
    status,
    headers: {
      ...BASIC_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-language": theme.language,
      ...(isSmall ? {} : { "content-encoding": "gzip" }),
      "referrer-policy": "strict-origin-when-cross-origin",
      "content-security-policy": policyOf(theme.nonce, hosts),
      ...headers,
    },
  });
}

/**
 * A longer page is compressed, to less than half: page and images together stay below 20 KB and, but for the longest
 * bio pages, the page itself fits the first round trip of a TCP connection. That takes half as long as rendering it.
 */
const SENT_PLAIN = 4_000;

function policyOf(nonce: string, hosts: PageAnswer["hosts"]): string {
  const [images, scripts] = [sources(hosts?.images), sources(hosts?.scripts)];
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'${scripts}`,
    `img-src 'self'${images}`,
    ...(scripts === "" ? [] : [`connect-src${scripts}`]),
    // Forms post to the short URL itself, but browsers also check the redirect that follows against `form-action`.
    "form-action http: https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const sources = (origins: readonly string[] = []): string => origins.map((origin) => ` ${origin}`).join("");

export interface RefusalFacts {
  /** For status 429 and 503. */
  retryAfterSeconds?: number;
  /** For status 405. */
  allow?: string;
  /** For the Error body. */
  details?: string[];
  /** Defaults to a plain page in the visitor's language. */
  theme?: PageTheme;
}

export function refuse(
  request: Request,
  reason: RefusalReason,
  { retryAfterSeconds = 1, allow = "GET, HEAD", details, theme = themeOf(request, null) }: RefusalFacts = {},
): Response {
  const { status, error } = REFUSALS[reason];
  const headers: Record<string, string> = {};
  if (status === 405) headers.allow = allow;
  if (status === 429 || status === 503) headers["retry-after"] = String(retryAfterSeconds);
  if (wantsJson(request.headers)) return refuseInJson(status, { error, details }, headers);
  return answerPage(request, { status, headers, theme, html: refusalPage(reason, theme) });
}

/** Responds with the Error body. */
export const refuseInJson = (
  status: number,
  body: { error: string; details?: string[] },
  headers: Record<string, string> = {},
): Response => Response.json(body, { status, headers: { ...BASIC_HEADERS, ...headers } });
