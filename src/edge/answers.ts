/** The edge's answers: the redirect, and the refusal as a page or as the Error body. */
import type { Route } from "@/core/compiled-link";
import { refusalPage } from "./pages/refusal";
import { REFUSALS, type RefusalReason } from "./refusals";

/** A redirect is kept by no cache and listed by no index; its referrer is the browser's default. */
const REDIRECT_HEADERS = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer-when-downgrade",
};

/**
 * Headers that are ready to be copied cost a third of those made from an object; most visits lead to a route's own URL.
 * The whole answer cannot be kept: the runtime sends a response's headers once.
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

export function refuse(request: Request, reason: RefusalReason, retryAfterSeconds = 1): Response {
  const { status, error } = REFUSALS[reason];
  const headers: Record<string, string> = {
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "x-content-type-options": "nosniff",
  };
  if (status === 405) headers.allow = "GET, HEAD";
  if (status === 429 || status === 503) headers["retry-after"] = String(retryAfterSeconds);
  if (wantsJson(request)) return Response.json({ error }, { status, headers });
  const nonce = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  headers["content-type"] = "text/html; charset=utf-8";
  // The form posts to the short URL itself, yet browsers hold `form-action` against where its answer redirects to.
  headers["content-security-policy"] =
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'`;
  return new Response(request.method === "HEAD" ? null : refusalPage(reason, nonce), { status, headers });
}

function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return /\bjson\b/i.test(accept) && !/text\/html/i.test(accept);
}
