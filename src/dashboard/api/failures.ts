/** API errors as screens show them: one sentence for the whole request, and one for each invalid field. */
import { loadFaults, words } from "../words";

export class ApiFailure extends Error {
  override name = "ApiFailure";

  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly string[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** Seconds. */
const WAIT_S_MAX = 90;

/** True if the API asks to wait longer than anyone would watch a screen, such as for the next month. */
export const isForLong = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.retryAfterSeconds ?? 0) > WAIT_S_MAX;

/** The session has ended, and the page stays because of what is typed and not saved. */
export class SignedOut extends ApiFailure {
  override name = "SignedOut";

  constructor(text = words.ui.signedOut) {
    super(401, text);
  }
}

/** In another tab, the browser has signed in as someone else, and the page stays because of what is typed. */
export class OtherUser extends SignedOut {
  override name = "OtherUser";

  constructor(emails: { other: string; own: string }) {
    super(words.ui.otherUser(emails.other, emails.own));
  }
}

/** The API could not be reached. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** Body of an error response from the API. */
export interface Refusal {
  error: string;
  details?: string[];
}

const TOO_LARGE = 413;

/**
 * Converts an error response. A response without the API's error body comes from a proxy in front of it: a 5xx means
 * that the service is unreachable, anything else that the proxy refuses the request.
 */
export async function failureOf(
  { status, headers }: Response,
  body: Refusal | string | undefined,
): Promise<ApiFailure | Unreachable> {
  const refusal = typeof body === "object" && typeof body?.error === "string" ? await inPageLanguage(body) : undefined;
  if (!refusal && status >= 500) return new Unreachable();
  const text = refusal?.error ?? (status === TOO_LARGE ? words.ui.tooLargeForProxy : words.ui.failed);
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiFailure(status, text, refusal?.details, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

/** In English if the texts cannot be loaded. */
async function inPageLanguage(refusal: Refusal): Promise<Refusal> {
  const loaded = loadFaults();
  if (!loaded) return refusal;
  try {
    const [faults, { translated }] = await Promise.all([loaded, import("./translated")]);
    return translated(refusal, faults);
  } catch {
    return refusal;
  }
}

export function failureText(error: unknown): string {
  if (error instanceof ApiFailure) {
    const details = error.details.length > 0 ? ` (${error.details.join("; ")})` : "";
    return `${error.message}${details}`;
  }
  return error instanceof Unreachable ? words.ui.unreachable : words.ui.failed;
}

/** Returns the faults by field path in the body: `rules.0.destinationUrl` for the API's `rules[0].destinationUrl`. */
export function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiFailure)) return {};
  const faults: Record<string, string> = {};
  for (const detail of error.details) {
    const at = detail.indexOf(": ");
    if (at > 0) faults[detail.slice(0, at).replaceAll(/\[(\d+)\]/g, ".$1")] ??= detail.slice(at + 2);
  }
  return faults;
}

/** Returns the error as text, or undefined if all its faults are already shown at their fields. */
export function otherFaults(error: unknown, shown: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const named = Object.keys(faultsOf(error));
  return named.length > 0 && named.every((field) => shown.includes(field)) ? undefined : failureText(error);
}
