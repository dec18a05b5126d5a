/**
 * CORS: any origin may call the public routes from a browser, and only the dashboard's origins may call the others.
 * Preflight requests are handled here, before authentication.
 */
import type { HostDirectory } from "@/platform/hosts/hosts";

const PUBLIC_PATHS = /^\/(?:health|openapi\.json|api\/v1\/(?:resolve|match|public)(?:\/|$))/;
const EXPOSED =
  "Content-Disposition, Content-Range, ETag, Retry-After, WWW-Authenticate, X-Request-Id, " +
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id";

export type AllowedOrigin = (origin: string) => boolean;

/** Allows the dashboard's own origin and the verified hosts that serve it. */
export const dashboardOrigins =
  (dashboardUrl: string, hosts: HostDirectory): AllowedOrigin =>
  (origin) => {
    if (origin === dashboardUrl) return true;
    const [, hostname = ""] = /^https:\/\/([a-z0-9.-]+)$/.exec(origin) ?? [];
    const host = hosts.of(hostname);
    return host?.isDashboard === true && host.hostname === hostname;
  };

type Headers = Record<string, string | number>;

export function corsHeaders(request: Request, isAllowed: AllowedOrigin): Record<string, string> {
  const origin = request.headers.get("origin");
  const { pathname } = URL.parse(request.url) ?? { pathname: "/" };
  if (PUBLIC_PATHS.test(pathname)) {
    return {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": EXPOSED,
    };
  }
  if (!origin || !isAllowed(origin)) return { vary: "Origin" };
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED,
    vary: "Origin",
  };
}

/** Returns the response to a preflight request, or undefined for any other request. */
export function preflight(request: Request, headers: Headers): Response | undefined {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  const answer = new Response(null, { status: 204 });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, String(value));
  if (!answer.headers.has("access-control-allow-origin")) return answer;
  answer.headers.set("access-control-allow-methods", METHODS);
  answer.headers.set("access-control-allow-headers", REQUEST_HEADERS);
  answer.headers.set("access-control-max-age", "7200");
  return answer;
}
