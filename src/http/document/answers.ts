/** What each status means here, and the failures as named responses, so that an operation only refers to them. */
import type { Header, MediaType, Response, Schema } from "./types";

const RETRY_AFTER: Record<string, Header> = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer", minimum: 1, examples: [30] } },
};

interface Failure {
  name: string;
  description: string;
  example: { error: string; details?: string[] };
  headers?: Record<string, Header>;
}

const FAILURES: Record<string, Failure> = {
  400: {
    name: "BadRequest",
    description: "Malformed JSON, or fields or query values that are not as they should be",
    example: { error: "The request has invalid fields", details: ["slug: expected 1 to 190 characters"] },
  },
  401: {
    name: "Unauthorized",
    description: "No credentials, or wrong, expired or revoked ones, or the wrong scheme",
    example: { error: "Sign in first: the credentials are missing, wrong, expired or revoked" },
  },
  403: {
    name: "Forbidden",
    description: "The role or scope does not allow it, the link asks for a password, or it is unsafe",
    example: { error: "Your role does not allow this" },
  },
  404: {
    name: "NotFound",
    description: "Unknown, or of an organization the caller is no member of",
    example: { error: "There is no such link" },
  },
  409: {
    name: "Conflict",
    description: "Taken already, or in use",
    example: { error: "This slug is taken on its domain", details: ["slug: taken"] },
  },
  410: {
    name: "Gone",
    description: "The link has expired or is used up",
    example: { error: "This link has expired" },
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large",
    example: { error: "The body is larger than 262144 bytes" },
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body is not JSON",
    example: { error: "The body must be JSON: send Content-Type: application/json" },
  },
  429: {
    name: "TooManyRequests",
    description: "Too many requests, or the plan's quota is used up",
    example: { error: "Too many requests; try again in a moment" },
    headers: RETRY_AFTER,
  },
  500: {
    name: "InternalError",
    description: "Our doing, never the client's; logged under the answer's `X-Request-Id`",
    example: { error: "Something went wrong on our side; quote the X-Request-Id" },
  },
  503: {
    name: "Unavailable",
    description: "Something the service depends on is away",
    example: { error: "A dependency is away; try again shortly" },
    headers: RETRY_AFTER,
  },
};

const SUCCESSES: Record<string, string> = {
  200: "Done",
  201: "Created",
  206: "The file",
  302: "Go on to the URL in `Location`",
};

const LOCATION: Record<string, Header> = {
  Location: { description: "Where to go on", schema: { type: "string", format: "uri" } },
};

export function failureResponses(error: Schema): Record<string, Response> {
  return Object.fromEntries(
    Object.values(FAILURES).map(({ name, description, example, headers }) => [
      name,
      { description, ...(headers && { headers }), content: { "application/json": { schema: error, example } } },
    ]),
  );
}

/** A reference to the failure's named response, or undefined for a status that is no failure. */
export function failureReference(status: string): { $ref: string } | undefined {
  const failure = FAILURES[status];
  return failure && { $ref: `#/components/responses/${failure.name}` };
}

export function successResponse(
  status: string,
  description: string | undefined,
  content: Record<string, MediaType> | undefined,
): Response {
  return {
    description: description ?? SUCCESSES[status] ?? "Done",
    ...(status.startsWith("3") && { headers: LOCATION }),
    ...(content && { content }),
  };
}
