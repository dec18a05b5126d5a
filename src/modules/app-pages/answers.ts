/** Answers of the pages: kept by nobody, framed by nobody, with no script and nothing from anywhere else. */
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
      // A token may stand in the address, of which nobody is told more than the origin: of a whole address told to this
      // host alone, a redirect from here would tell the next one too. With no referrer at all, forms name no origin.
      "referrer-policy": "strict-origin",
      "cross-origin-opener-policy": "same-origin",
      "x-robots-tag": "noindex",
      vary: "Accept-Language, Cookie",
    },
  });
}

/** Pictures: a brand's, and the icon that some browsers ask the host for unbidden. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** On to a path of ours, by GET. */
export function seeOther(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path, "cache-control": "no-store", "referrer-policy": "strict-origin" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
