/** Describes each status code, and defines the failures as named responses for operations to reference. */
import { EXAMPLE_ID } from "@/contract/schema";
import { EXAMPLE_TAGS } from "../headers/entity-tag";
import type { Header, MediaType, Response, Schema } from "./types";

const RETRY_AFTER: Record<string, Header> = {
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer", minimum: 1, examples: [30] } },
};

const counted = (description: string, example: number): Header => ({
  description: `${description}. Sent by operations that need credentials, once the credentials are known`,
  schema: { type: "integer", minimum: 0, examples: [example] },
});

/** Headers that state the remaining request limit (`http/rate-limit.ts`). */
const LIMIT_HEADERS: Record<string, Header> = {
  "X-RateLimit-Limit": counted(
    "Number of requests allowed in the window: a minute, or the month once it is used up",
    600,
  ),
  "X-RateLimit-Remaining": counted("Number of requests left", 597),
  "X-RateLimit-Reset": counted(
    "When the window ends and the full limit is available again, in Unix seconds",
    1_780_315_260,
  ),
};

const REQUEST_ID: Record<string, Header> = {
  "X-Request-Id": {
    description: "Names the request in the service's log: the one you sent, if it is valid, or else a new one",
    schema: { type: "string", examples: [EXAMPLE_ID] },
  },
};

/** Headers that responses reference by name. */
export const NAMED_HEADERS = { ...LIMIT_HEADERS, ...REQUEST_ID };

const referencesTo = (headers: Record<string, Header>) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const LIMIT_REFERENCES = referencesTo(LIMIT_HEADERS);
const REQUEST_ID_REFERENCE = referencesTo(REQUEST_ID);

/** Media types of responses that browsers save as files. */
const DOWNLOADS: readonly string[] = ["text/csv", "application/jsonl", "application/gzip", "application/octet-stream"];

const FILE_NAME: Record<string, Header> = {
  "Content-Disposition": {
    description: "`attachment`, with a name for the file",
    schema: { type: "string", examples: ['attachment; filename="links.csv"'] },
  },
};

const CONTENT_RANGE: Record<string, Header> = {
  "Content-Range": {
    description: "The whole file: the operation ignores `Range`",
    schema: { type: "string", examples: ["bytes 0-3291/3292"] },
  },
};

/** Header of resources that several people edit (`http/headers/entity-tag.ts`). */
const ENTITY_TAG: Record<string, Header> = {
  ETag: {
    description: "Identifies the current values of all fields that you can edit; send it as `If-Match` with a change",
    schema: { type: "string", examples: [EXAMPLE_TAGS.tagged] },
  },
};

/** Header of what clients keep (`http/headers/entity-tag.ts`). */
const CACHE_TAG: Record<string, Header> = {
  ETag: {
    description: "Identifies what was returned; send it as `If-None-Match` with your next request",
    schema: { type: "string", examples: [EXAMPLE_TAGS.cached] },
  },
};

/** What a client gets that already has the current version. */
export const UNCHANGED: Response = {
  description: "Not changed since you received it: one of the tags in `If-None-Match` is still the current `ETag`",
  headers: { ...CACHE_TAG, ...REQUEST_ID_REFERENCE },
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
    description: "Malformed JSON, or invalid fields or query parameters",
    example: { error: "The request has invalid fields", details: ["slug: expected 1 to 190 characters"] },
  },
  401: {
    name: "Unauthorized",
    description: "Missing, wrong, expired or revoked credentials, or the wrong scheme",
    example: { error: "Sign in first: the credentials are missing, wrong, expired or revoked" },
    headers: {
      "WWW-Authenticate": {
        description: "The schemes that `Authorization` may have",
        schema: { type: "string", examples: ["Bearer, ApiKey"] },
      },
    },
  },
  403: {
    name: "Forbidden",
    description: "The role or scope does not allow this, the link requires a password, or the link is unsafe",
    example: { error: "Your role does not allow this" },
  },
  404: {
    name: "NotFound",
    description: "Not found, or part of an organization that the caller does not belong to",
    example: { error: "There is no such link" },
  },
  409: {
    name: "Conflict",
    description: "Already taken, or in use",
    example: { error: "This slug is already used on its domain", details: ["slug: already in use"] },
  },
  410: {
    name: "Gone",
    description: "The link has expired or is used up",
    example: { error: "This link has expired" },
  },
  412: {
    name: "PreconditionFailed",
    description:
      "Changed since you read it: its `ETag` does not match `If-Match`. With `If-None-Match: *`: there is one already",
    example: { error: "Someone else changed this link after you read it; read it again" },
    headers: ENTITY_TAG,
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large",
    example: { error: "The body is larger than 262144 bytes" },
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body is not JSON, or is compressed",
    example: { error: "The body must be JSON: send Content-Type: application/json" },
  },
  429: {
    name: "TooManyRequests",
    description: "Too many requests, or the plan's limit is reached",
    example: { error: "Too many requests; try again in a moment" },
    headers: RETRY_AFTER,
  },
  500: {
    name: "InternalError",
    description: "A fault of the service, not of the client; logged under the response's `X-Request-Id`",
    example: { error: "Something went wrong on our side; quote the X-Request-Id" },
  },
  503: {
    name: "Unavailable",
    description: "A dependency of the service is unavailable",
    example: { error: "A dependency is unavailable; try again shortly" },
    headers: RETRY_AFTER,
  },
};

const SUCCESSES: Record<string, string> = {
  200: "Done",
  201: "Created",
  206: "The file",
  302: "Redirect to the URL in `Location`",
};

const LOCATION: Record<string, Header> = {
  Location: { description: "Where to continue", schema: { type: "string", format: "uri" } },
};

export function failureResponses(error: Schema): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, { name, description, example, headers: own }]) => {
      // The caller is unknown, so the response has no limit headers.
      const limits = status === "401" ? {} : LIMIT_REFERENCES;
      const headers = { ...own, ...limits, ...REQUEST_ID_REFERENCE };
      return [name, { description, headers, content: { "application/json": { schema: error, example } } }];
    }),
  );
}

/** Returns a reference to the failure's named response, or undefined for a status that is not a failure. */
export function failureReference(status: string): { $ref: string } | undefined {
  const failure = FAILURES[status];
  return failure && { $ref: `#/components/responses/${failure.name}` };
}

export function successResponse(
  status: string,
  description: string | undefined,
  content: Record<string, MediaType> | undefined,
  { isSignedIn, isTagged, isCached }: { isSignedIn: boolean; isTagged: boolean; isCached: boolean },
): Response {
  const headers = {
    ...(status.startsWith("3") && LOCATION),
    ...(isTagged && ENTITY_TAG),
    ...(isCached && status === "200" && CACHE_TAG),
    ...(Object.keys(content ?? {}).some((type) => DOWNLOADS.includes(type)) && FILE_NAME),
    ...(status === "206" && CONTENT_RANGE),
    ...(isSignedIn && LIMIT_REFERENCES),
    ...REQUEST_ID_REFERENCE,
  };
  return {
    description: description ?? SUCCESSES[status] ?? "Done",
    headers,
    ...(content && { content }),
  };
}
