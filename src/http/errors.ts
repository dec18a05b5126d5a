/**
 * Every failure a client can see, by name. Services throw them, `onError` in `http/wire.ts` maps them to the wire; the
 * sentence is stable per cause, `details` name the fields.
 */
export class HttpError extends Error {
  override name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
    readonly details?: string[],
    readonly headers?: Record<string, string>,
  ) {
    super(message);
  }
}

export const invalid = (details: string[], message = "The request has invalid fields") =>
  new HttpError(400, message, details);
export const malformed = (message: string, details?: string[]) => new HttpError(400, message, details);
export const unauthenticated = (message = "Sign in first: the credentials are missing, wrong, expired or revoked") =>
  new HttpError(401, message, undefined, {
    "www-authenticate": "Bearer, ApiKey",
  });
export const forbidden = (message: string) => new HttpError(403, message);
export const notFound = (what = "resource") => new HttpError(404, `There is no such ${what}`);
export const conflict = (message: string, details?: string[]) => new HttpError(409, message, details);
export const tooLarge = (bytesMax: number) => new HttpError(413, `The body is larger than ${bytesMax} bytes`);
export const notJson = () => new HttpError(415, "The body must be JSON: send Content-Type: application/json");
export const tooMany = (message: string, retryAfterSeconds: number, details?: string[]) =>
  new HttpError(429, message, details, {
    "retry-after": String(Math.ceil(retryAfterSeconds)),
  });
export const unavailable = (message = "A dependency is away; try again shortly") =>
  new HttpError(503, message, undefined, { "retry-after": "1" });
