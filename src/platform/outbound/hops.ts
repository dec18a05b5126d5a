/** A request, and the ones that redirects turn it into. */
import { OutboundError } from "./error";
import type { Answer } from "./exchange";
import type { OutboundInit } from "./outbound";
import { readTarget, type Target } from "./target";

export interface Hop {
  target: Target;
  method: string;
  headers: Headers;
  body: Uint8Array | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Headers that only the client sets: they determine how the connection is used, and where it goes. */
const OWN_HEADERS = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** Headers that are sent to another origin, too. Any other may be a credential. */
const HARMLESS_HEADERS = ["accept", "accept-encoding", "accept-language", "user-agent"];
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Throws `bad_url`, and `TypeError` for what HTTP does not allow: line breaks in a header, an unknown method, a body
 * with `GET` or `HEAD`.
 */
export function firstHop(url: string | URL, init: OutboundInit): Hop {
  const { method = "GET", body } = init;
  if (!METHODS.includes(method)) throw new TypeError(`Not an HTTP method: ${method}`);
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw new TypeError(`${method} cannot have a body`);
  const headers = new Headers(init.headers);
  for (const name of OWN_HEADERS) headers.delete(name);
  headers.set("accept-encoding", "identity");
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (!headers.has("user-agent")) headers.set("user-agent", "Waymark");
  return {
    target: readTarget(String(url)),
    method,
    headers,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  };
}

export const isRedirect = ({ status, headers }: Answer): boolean =>
  REDIRECTS.includes(status) && headers.has("location");

/** Follows a redirect as `fetch` does. Throws `redirects` for one that must not be followed, and `bad_url`. */
export function nextHop(hop: Hop, { status, headers }: Answer): Hop {
  const from = hop.target.url;
  const target = readTarget(headers.get("location") ?? "", from);
  if (from.protocol === "https:" && target.url.protocol === "http:") {
    throw new OutboundError("redirects", "A redirect goes from https to http");
  }
  const isForeign = target.url.origin !== from.origin;
  const next = status === 307 || status === 308 ? hop : withoutBody(hop, status);
  if (!isForeign) return { ...next, target };
  if (next.body) throw new OutboundError("redirects", "A redirect would send the request body to another origin");
  return { ...next, target, headers: only(next.headers, HARMLESS_HEADERS) };
}

function withoutBody(hop: Hop, status: number): Hop {
  const isKept = hop.method === "HEAD" || (status !== 303 && hop.method !== "POST");
  if (isKept) return hop;
  const headers = new Headers(hop.headers);
  headers.delete("content-type");
  return { ...hop, method: "GET", headers, body: undefined };
}

const only = (headers: Headers, names: string[]): Headers =>
  new Headers([...headers].filter(([name]) => names.includes(name)));
