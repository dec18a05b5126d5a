/**
 * What every answer of the API carries, and the one place where failures become status codes: request ids, security
 * headers, CORS, the Error body, and a log line a request.
 */
import { Elysia, ValidationError } from "elysia";
import { TooManyLoadsError } from "@/platform/link-cache/cache";
import type { Log } from "@/platform/log";
import { HashAbandoned, TooManyHashes } from "@/platform/passwords";
import { requestIdOf } from "@/platform/request-id";
import { faultsBeside } from "./beside";
import type { AllowedOrigin } from "./cors";
import { corsHeaders, preflight } from "./cors";
import { HttpError, invalid, malformed, notFound, tooMany, unavailable } from "./errors";
import { type MethodsAt, methodNotAllowed } from "./methods";
import { schemaDetails } from "./validation";

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/**
 * Codes of postgres.js and the socket for a server that is away; `57P0x` is a server going down or starting. Behind a pooler
 * a prepared statement may be unknown (`26000`), and a commit refused.
 */
const AWAY =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|COMMIT_REFUSED|26000|57P0\d|53300|08\w{3})$/;

/** Transactions that came into each other's way; Postgres ended this one. */
const ENTANGLED = /^(40001|40P01)$/;

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
}

export const wire = ({ log, isAllowedOrigin, isSecure, methodsAt }: WireOptions) => {
  const facts = new WeakMap<Request, RequestFacts>();
  return new Elysia({ name: "wire" })
    .onRequest(({ request, set }) => {
      const id = requestIdOf(request);
      facts.set(request, { id, startedAt: performance.now(), route: "" });
      Object.assign(set.headers, SECURITY_HEADERS, corsHeaders(request, isAllowedOrigin), { "x-request-id": id });
      // Of the host alone: on a customer's domain we cannot speak for what is below it.
      if (isSecure) set.headers["strict-transport-security"] = "max-age=63072000";
      return preflight(request, set.headers);
    })
    .onTransform({ as: "global" }, ({ request, route }) => {
      const known = facts.get(request);
      if (known) known.route = route;
    })
    .onError({ as: "global" }, async ({ error, code, request, set }) => {
      const allowed = code === "NOT_FOUND" ? methodsAt(pathOf(request)) : [];
      if (allowed.length > 0 && request.method === "OPTIONS") return options(allowed, set.headers);
      const failure = await failureOf(error, code, request, allowed);
      if (failure.status === 500) {
        log.error("request failed", {
          requestId: facts.get(request)?.id,
          error,
        });
      }
      Object.assign(set.headers, failure.headers);
      set.status = failure.status;
      return failure.details ? { error: failure.message, details: failure.details } : { error: failure.message };
    })
    .onAfterResponse({ as: "global" }, ({ request, set, responseValue }) => {
      const known = facts.get(request);
      const status = responseValue instanceof Response ? responseValue.status : (set.status ?? 200);
      const ms = known ? Math.round((performance.now() - known.startedAt) * 10) / 10 : undefined;
      log.info("request", {
        requestId: known?.id,
        method: request.method,
        route: known?.route,
        status,
        ms,
      });
    });
};

/** As which failure an error is answered; `code` is Elysia's, of its own errors. */
export function toHttpError(error: unknown, code?: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof TooManyHashes) return tooMany("Too many passwords at once; try again in a moment", 1);
  // Nobody reads it.
  if (error instanceof HashAbandoned) return new HttpError(408, "The client hung up");
  if (code === "NOT_FOUND") return notFound("route");
  if (error instanceof ValidationError && error.type !== "response") return invalid(schemaDetails(error));
  if (code === "PARSE") return malformed("The body is not valid JSON");
  if (error instanceof TooManyLoadsError) return unavailable("Too much is asked for at once; try again shortly");
  if (hasCode(error, ENTANGLED)) return unavailable("Others were changing the same; try again");
  return hasCode(error, AWAY)
    ? unavailable()
    : new HttpError(500, "Something went wrong on our side; quote the X-Request-Id");
}

function failureOf(error: unknown, code: unknown, request: Request, allowed: string[]): HttpError | Promise<HttpError> {
  if (allowed.length > 0) return methodNotAllowed(request.method, allowed);
  return isWrongBody(error) ? wrongBody(error, request) : toHttpError(error, code);
}

const pathOf = ({ url }: Request): string => URL.parse(url)?.pathname ?? "";

/** What a client is told that asks what a path takes. */
function options(allowed: string[], headers: Record<string, string | number>): Response {
  const answer = new Response(null, { status: 204, headers: { allow: allowed.join(", ") } });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, String(value));
  return answer;
}

const isWrongBody = (error: unknown): error is ValidationError =>
  error instanceof ValidationError && error.type === "body";

/** What breaks the schema, and what else is wrong. Where that cannot be found out, the schema's faults are told alone. */
async function wrongBody(error: ValidationError, request: Request): Promise<HttpError> {
  const details = schemaDetails(error);
  try {
    return invalid([...new Set([...details, ...(await faultsBeside(request, error.value))])]);
  } catch {
    return invalid(details);
  }
}

function hasCode(error: unknown, codes: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && codes.test(cause.code)) return true;
  }
  return false;
}
