/**
 * Every failure a client can see, by name. Services throw them, `onError` in `http/wire.ts` maps them to the wire; the
 * sentence is stable per cause, `details` name the fields.
 *
 * A detail may hold names of the client's own, and there may be one for every few bytes of its body: so that no answer
 * grows far beyond its request, only the first `DETAILS_MAX` are told, and long ones without their middle.
 */
const DETAILS_MAX = 100;
const DETAIL_END_MAX = 200;

export class HttpError extends Error {
  override name = "HttpError";
  readonly details?: string[];
  constructor(
    readonly status: number,
    message: string,
    details?: string[],
    readonly headers?: Record<string, string>,
  ) {
    super(message);
    this.details = details?.slice(0, DETAILS_MAX).map(shortened);
  }
}

function shortened(detail: string): string {
  if (detail.length <= 2 * DETAIL_END_MAX) return detail;
  return `${detail.slice(0, DETAIL_END_MAX)}…${detail.slice(-DETAIL_END_MAX)}`.toWellFormed();
}

export const invalid = (details: string[], message = "The request has invalid fields") =>
  new HttpError(400, message, details);
export const malformed = (message: string, details?: string[]) => new HttpError(400, message, details);
export const unauthenticated = (message = "Sign in first: the credentials are missing, wrong, expired or revoked") =>
  new HttpError(401, message, undefined, {
    "www-authenticate": "Bearer, ApiKey",
  });
export const forbidden = (message: string) => new HttpError(403, message);
export const notFound = (what = "resource", details?: string[]) =>
  new HttpError(404, `There is no such ${what}`, details);
/** What a field of the body or the query names is not there, or is another organization's. */
export const notFoundBy = (field: string, what: string) => notFound(what, [`${field}: there is no such ${what}`]);
/** Nobody reads it, and nobody is at fault. */
export const hungUp = () => new HttpError(408, "The client hung up");
export const conflict = (message: string, details?: string[]) => new HttpError(409, message, details);
/** `tag`: the present one. */
export const preconditionFailed = (message: string, tag?: string) =>
  new HttpError(412, message, undefined, tag === undefined ? undefined : { etag: tag });
export const tooLarge = (bytesMax: number) => new HttpError(413, `The body is larger than ${bytesMax} bytes`);
export const notJson = () => new HttpError(415, "The body must be JSON: send Content-Type: application/json");
export const tooMany = (message: string, retryAfterSeconds: number, details?: string[]) =>
  new HttpError(429, message, details, {
    "retry-after": String(Math.ceil(retryAfterSeconds)),
  });
export const unavailable = (message = "A dependency is unavailable; try again shortly") =>
  new HttpError(503, message, undefined, { "retry-after": "1" });
