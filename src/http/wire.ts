/**
 * What all API responses share, and the one place where failures become status codes: request ids, security headers,
 * CORS, the Error body, and one log line per request.
 */
import { Elysia, ValidationError } from "elysia";
import { isAbandoned, isOrganizationDeleted, type UnavailableReason, unavailableReasonOf } from "@/platform/db/faults";
import { TooManyLoadsError } from "@/platform/link-cache/flights";
import { HashAbandoned, type HashPlace, TooManyHashes } from "@/platform/passwords/passwords";
import { requestIdOf } from "@/platform/request-id";
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";
import { wrongBody } from "./body/body-faults";
import { schemaDetails } from "./body/validation";
import type { AllowedOrigin } from "./cors";
import { corsHeaders, preflight } from "./cors";
import { HttpError, hungUp, invalid, malformed, notFound, tooMany, unavailable } from "./errors";
import { headOfStream } from "./headers/content-length";
import { setTagHeader } from "./headers/entity-tag";
import { type MethodsAt, methodNotAllowed } from "./methods";

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const BUSY = "The service is busy; try again shortly";
/** Messages for a Postgres fault that is not the client's: the request is valid, and a retry may soon succeed. */
const HINDERED: Record<UnavailableReason, string | undefined> = {
  away: undefined,
  busy: BUSY,
  entangled: "Someone else changed this at the same time; try again",
  locked: "This is locked by another change; try again shortly",
  read_only: "Changes are not possible right now; try again shortly",
  full: "The service is out of capacity; try again shortly",
  cancelled: "This took too long; try again shortly",
  columns: "Some of these clicks are in a month stored in columnar format; ask the operator to convert it back first",
};
const TOO_MANY: Record<HashPlace["purpose"], string> = {
  "known-browser": "Too many sign-ins",
  "sign-in": "Too many sign-ins",
  registration: "Too many new passwords",
  visit: "Too many passwords",
  links: "Too many links with passwords",
};
/**
 * Faults to log here, each once per interval. A Postgres that requests cannot reach is not always unavailable to the
 * whole service, which logs that: it may have no connection left for them, or end theirs.
 */
const LOGGED_HERE: readonly UnavailableReason[] = ["away", "locked", "read_only", "full", "cancelled", "columns"];
const SAY_EVERY_MS = 10_000;

interface RequestFacts {
  id: string;
  startedAt: number;
  route: string;
}

export interface WireOptions {
  log: Log;
  isAllowedOrigin: AllowedOrigin;
  isSecure: boolean;
  methodsAt: MethodsAt;
  /** Called with the outcome of each request. */
  measure(route: string, method: string, status: number, seconds: number): void;
}

export const wire = ({ log, isAllowedOrigin, isSecure, measure, methodsAt }: WireOptions) => {
  const facts = new WeakMap<Request, RequestFacts>();
  const say = (error: unknown, unsaid: number) => log.warn("Postgres could not serve a request", { error, unsaid });
  const warnings = new Map(LOGGED_HERE.map((reason) => [reason, throttleReports(SAY_EVERY_MS, say)]));
  return new Elysia({ name: "wire" })
    .onRequest(({ request, set }) => {
      const id = requestIdOf(request);
      facts.set(request, { id, startedAt: performance.now(), route: "" });
      Object.assign(set.headers, SECURITY_HEADERS, corsHeaders(request, isAllowedOrigin), { "x-request-id": id });
      // Without `includeSubDomains`: on a customer's domain, we cannot decide for its subdomains.
      if (isSecure) set.headers["strict-transport-security"] = "max-age=63072000";
      return preflight(request, set.headers);
    })
    .onTransform({ as: "global" }, ({ request, route }) => {
      const known = facts.get(request);
      if (known) known.route = route;
    })
    .onAfterHandle({ as: "global" }, ({ request, responseValue, set }) => {
      setTagHeader(set.headers, responseValue);
      return headOfStream(request, responseValue);
    })
    .onError({ as: "global" }, async ({ error, code, request, set }) => {
      const allowed = code === "NOT_FOUND" ? methodsAt(pathOf(request)) : [];
      if (allowed.length > 0 && request.method === "OPTIONS") return options(allowed, set.headers);
      const failure = await failureOf(error, code, request, allowed);
      const hindrance = unavailableReasonOf(error);
      if (failure.status === 500) log.error("request failed", { requestId: facts.get(request)?.id, error });
      else if (hindrance !== null) warnings.get(hindrance)?.(error);
      Object.assign(set.headers, failure.headers);
      set.status = failure.status;
      return failure.details ? { error: failure.message, details: failure.details } : { error: failure.message };
    })
    .onAfterResponse({ as: "global" }, ({ request, set, responseValue }) => {
      const known = facts.get(request);
      const status = Number(responseValue instanceof Response ? responseValue.status : (set.status ?? 200));
      const ms = known ? performance.now() - known.startedAt : 0;
      measure(known?.route ?? "", request.method, status, ms / 1000);
      log[levelOf(status, known?.route)]("request", {
        requestId: known?.id,
        method: request.method,
        route: known?.route,
        status,
        ms: Math.round(ms * 10) / 10,
      });
    });
};

/** Asked every few seconds. Its 503 is an answer and no failure: what is wrong is logged where it is found. */
const READINESS = "/ready";

/** Successful requests are rarely of interest. */
const levelOf = (status: number, route?: string) =>
  route === READINESS ? "debug" : status >= 500 ? "warn" : status >= 400 ? "info" : "debug";

/** Converts an error to its HTTP failure. `code` is Elysia's code for its own errors. */
export function toHttpError(error: unknown, code?: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof TooManyHashes)
    return tooMany(`${TOO_MANY[error.purpose]} at the same time; try again in a moment`, 1);
  if (error instanceof HashAbandoned) return hungUp();
  if (code === "NOT_FOUND") return notFound("route");
  if (error instanceof ValidationError && error.type !== "response") return invalid(schemaDetails(error));
  if (code === "PARSE") return malformed("The body is not valid JSON");
  if (error instanceof TooManyLoadsError) return unavailable(BUSY);
  // As for a request that comes a moment later.
  if (isOrganizationDeleted(error)) return notFound("organization");
  const hindrance = unavailableReasonOf(error);
  if (hindrance) return unavailable(HINDERED[hindrance]);
  return new HttpError(500, "Something went wrong on our side; quote the X-Request-Id");
}

function failureOf(error: unknown, code: unknown, request: Request, allowed: string[]): HttpError | Promise<HttpError> {
  if (allowed.length > 0) return methodNotAllowed(request.method, allowed);
  // Another client may have waited for the same.
  if (isAbandoned(error)) return request.signal.aborted ? hungUp() : unavailable(BUSY);
  return isWrongBody(error) ? wrongBody(request, error.value, schemaDetails(error)) : toHttpError(error, code);
}

const pathOf = ({ url }: Request): string => URL.parse(url)?.pathname ?? "";

/** Responds to an `OPTIONS` request that is not a preflight. */
function options(allowed: string[], headers: Record<string, string | number>): Response {
  const answer = new Response(null, { status: 204, headers: { allow: allowed.join(", ") } });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, String(value));
  return answer;
}

const isWrongBody = (error: unknown): error is ValidationError =>
  error instanceof ValidationError && error.type === "body";
