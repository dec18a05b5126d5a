/**
 * Every failure that a client can see, by name. Services throw them, and `onError` in `http/wire.ts` turns them into
 * responses. The message is stable per cause; `details` name the fields.
 *
 * A detail can contain names that the client chose, and a body can cause one detail for every few of its bytes. To
 * keep responses from growing far beyond their requests, only the first `DETAILS_MAX` details are kept, and long ones
 * lose their middle.
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
/** For a field of the body or query that names something that does not exist or belongs to another organization. */
export const notFoundInField = (field: string, what: string) => notFound(what, [`${field}: there is no such ${what}`]);
/** For a client that has disconnected: nobody reads the response, and nothing is at fault. */
export const hungUp = () => new HttpError(408, "The client hung up");
export const conflict = (message: string, details?: string[]) => new HttpError(409, message, details);

/** Ends a count of links that are in the way. Lists leave archived ones out, so they would not be found. */
export function archivedPart(links: number, archived: number): string {
  if (archived === 0) return "";
  if (archived < links) return `, ${archived} of them archived`;
  return links === 1 ? ", and is archived" : ", all archived";
}

/** `tag` is the current tag. */
export const preconditionFailed = (message: string, tag?: string) =>
  new HttpError(412, message, undefined, tag === undefined ? undefined : { etag: tag });
export const tooLarge = (bytesMax: number) => new HttpError(413, `The body is larger than ${bytesMax} bytes`);
export const notJson = () => new HttpError(415, "The body must be JSON: send Content-Type: application/json");
export const compressed = () =>
  new HttpError(415, "The body must not be compressed: send it without Content-Encoding", undefined, {
    "accept-encoding": "identity",
  });
export const tooMany = (message: string, retryAfterSeconds: number, details?: string[]) =>
  new HttpError(429, message, details, {
    "retry-after": String(Math.ceil(retryAfterSeconds)),
  });
export const unavailable = (message = "A dependency is unavailable; try again shortly") =>
  new HttpError(503, message, undefined, { "retry-after": "1" });
/** For a lock on an organization's figures that is not available in time. */
export const figuresBusy = () => unavailable("Figures are being updated; try again shortly");
