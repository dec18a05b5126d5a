/** Builds the pages' responses: not cached, not framed, without scripts and without anything from other hosts. */
import type { AccountTheme } from "./look";

export interface PageInit {
  status?: number;
  headers?: Record<string, string>;
}

export function answerAccountPage(
  { language, nonce }: AccountTheme,
  html: string,
  { status = 200, headers }: PageInit = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "cache-control": "no-store",
      "content-security-policy": policyOf(nonce),
      // The URL may contain a token, so other hosts learn only the origin. `same-origin` is not enough: a redirect
      // from here would pass the whole URL on to its target. `no-referrer` is too much: forms would then send no
      // origin.
      "referrer-policy": "strict-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-robots-tag": "noindex",
      vary: "Accept-Language, Cookie",
    },
  });
}

/** Images: a brand's, and the icon that some browsers request from the host on their own initiative. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Redirects to one of our own paths, with GET. */
export function seeOther(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path, "cache-control": "no-store", "referrer-policy": "strict-origin" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
