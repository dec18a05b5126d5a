/** The reason why a sign-in failed: a code for the dashboard, and a cause that only the log sees. */
import { SSO_ERRORS, type SsoError } from "@/contract/accounts/sso";
import { OutboundError } from "@/platform/outbound/outbound";

export class SsoFailure extends Error {
  override name = "SsoFailure";
  constructor(
    readonly code: SsoError,
    cause?: unknown,
  ) {
    super(SSO_ERRORS[code], { cause });
  }
}

/** Library errors for a response that is missing or malformed, so that nothing in it can be judged. */
const NO_ANSWER = new Set([
  ...["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"],
  ...["OAUTH_PARSE_ERROR", "OAUTH_HTTP_REQUEST_FORBIDDEN", "OAUTH_REQUEST_PROTOCOL_FORBIDDEN"],
  ...["OAUTH_MISSING_SERVER_METADATA", "OAUTH_INVALID_SERVER_METADATA"],
]);

/** Library errors for a response in which the provider itself reports an error. */
const REFUSED = new Set([
  "OAUTH_AUTHORIZATION_RESPONSE_ERROR",
  "OAUTH_RESPONSE_BODY_ERROR",
  "OAUTH_WWW_AUTHENTICATE_CHALLENGE",
]);

/**
 * Classifies the error of a request to the provider. `otherwise` is the code if the library rejected a well-formed
 * response.
 */
export function providerFailure(error: unknown, otherwise: SsoError): SsoFailure {
  if (error instanceof SsoFailure) return error;
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof OutboundError || NO_ANSWER.has(codeOf(cause) ?? ""))) {
    return new SsoFailure("provider_unreachable", error);
  }
  const isRefused = causes.some((cause) => REFUSED.has(codeOf(cause) ?? ""));
  return new SsoFailure(isRefused ? "provider_refused" : otherwise, error);
}

/**
 * Returns what may be logged of a failure: words and codes. The library's errors also hold tokens, claims and bodies,
 * which must not be.
 */
export const loggedCauses = (failure: SsoFailure): string[] =>
  causesOf(failure.cause)
    // The JSON parser may quote the text it could not parse.
    .filter((cause) => !(cause instanceof SyntaxError))
    .map((cause) => [cause.name, refusalOf(cause) ?? codeOf(cause), cause.message].filter(Boolean).join(" "));

const CAUSES_MAX = 5;
const REFUSAL = /^[a-z_]{1,60}$/;

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause);
  return causes;
}

/** Returns OAuth's error code, such as `invalid_grant`. */
const refusalOf = (cause: Error): string | undefined =>
  "error" in cause && typeof cause.error === "string" && REFUSAL.test(cause.error) ? cause.error : undefined;

const codeOf = (cause: Error): string | undefined =>
  "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
