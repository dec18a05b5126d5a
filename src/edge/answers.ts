/** The edge's answers: the redirect, pages for visitors, and the refusal as a page or as the Error body. */
import type { Route } from "@/core/routing/compiled-link";
import { refusalPage } from "./pages/refusal";
import { wantsJson } from "./person";
import { REFUSALS, type RefusalReason } from "./refusals";
import { type PageTheme, themeOf } from "./theme";

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

/**
 * After a form the browser goes on by GET. It names the form's page as where it comes from, whose address may hold a
 * password: the destination is to hear of its origin alone.
 */
export const afterForm = (status: 302 | 303, location: string): Response =>
  new Response(null, {
    status,
    headers: { location, ...REDIRECT_HEADERS, "referrer-policy": "strict-origin-when-cross-origin" },
  });

/** To a URL in place of a refusal; undefined for methods that browsers go nowhere with. */
export function sendOn({ method }: Request, location: string): Response | undefined {
  if (method === "POST") return afterForm(303, location);
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
  /** Origins beside our own that the page may load images from, and run and tell by scripts. */
  hosts?: { images: readonly string[]; scripts: readonly string[] };
  html: string;
}

/** A page under a policy that lets nothing run or load but what carries its nonce; without its body for HEAD. */
export function answerPage(request: Request, { status = 200, headers, theme, hosts, html }: PageAnswer): Response {
  const isSmall = html.length <= SENT_AT_ONCE || !acceptsGzip(request.headers);
  return new Response(request.method === "HEAD" ? null : isSmall ? html : Bun.gzipSync(html, { level: 3 }), {
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

/** A browser has so many bytes before it has to ask for more; only long bio pages are longer. */
const SENT_AT_ONCE = 12_000;

const acceptsGzip = (headers: Headers): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i.test(headers.get("accept-encoding") ?? "");

function policyOf(nonce: string, hosts: PageAnswer["hosts"]): string {
  const [images, scripts] = [sources(hosts?.images), sources(hosts?.scripts)];
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'${scripts}`,
    `img-src 'self'${images}`,
    ...(scripts === "" ? [] : [`connect-src${scripts}`]),
    // Forms post to the short URL itself, yet browsers hold `form-action` against where its answer redirects to.
    "form-action http: https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const sources = (origins: readonly string[] = []): string => origins.map((origin) => ` ${origin}`).join("");

export interface RefusalFacts {
  /** Answers of 429 and 503 have this. */
  retryAfterSeconds?: number;
  /** The Error body has this. */
  details?: string[];
  /** Defaults to a plain page in the visitor's language. */
  theme?: PageTheme;
}

export function refuse(
  request: Request,
  reason: RefusalReason,
  { retryAfterSeconds = 1, details, theme = themeOf(request, null) }: RefusalFacts = {},
): Response {
  const { status, error } = REFUSALS[reason];
  const headers: Record<string, string> = {};
  if (status === 405) headers.allow = "GET, HEAD";
  if (status === 429 || status === 503) headers["retry-after"] = String(retryAfterSeconds);
  if (wantsJson(request.headers)) return refuseInJson(status, { error, details }, headers);
  return answerPage(request, { status, headers, theme, html: refusalPage(reason, theme) });
}

/** Returns the Error body. */
export const refuseInJson = (
  status: number,
  body: { error: string; details?: string[] },
  headers: Record<string, string> = {},
): Response => Response.json(body, { status, headers: { ...BASIC_HEADERS, ...headers } });
