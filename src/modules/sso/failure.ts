/** Says why a sign-in failed: with a code for the dashboard, and a cause only for the log. */
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

/** Faults of an answer as such, before anything in it counts. */
const NO_ANSWER = new Set([
  ...["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"],
  ...["OAUTH_PARSE_ERROR", "OAUTH_HTTP_REQUEST_FORBIDDEN", "OAUTH_REQUEST_PROTOCOL_FORBIDDEN"],
  ...["OAUTH_MISSING_SERVER_METADATA", "OAUTH_INVALID_SERVER_METADATA"],
]);

/** What the provider itself said against it, as the library tells it. */
const REFUSED = new Set([
  "OAUTH_AUTHORIZATION_RESPONSE_ERROR",
  "OAUTH_RESPONSE_BODY_ERROR",
  "OAUTH_WWW_AUTHENTICATE_CHALLENGE",
]);

/** What a request to the provider failed with. `otherwise`: for what the library found wrong with a proper answer. */
export function providerFailure(error: unknown, otherwise: SsoError): SsoFailure {
  if (error instanceof SsoFailure) return error;
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof OutboundError || NO_ANSWER.has(codeOf(cause) ?? ""))) {
    return new SsoFailure("provider_unreachable", error);
  }
  const isRefused = causes.some((cause) => REFUSED.has(codeOf(cause) ?? ""));
  return new SsoFailure(isRefused ? "provider_refused" : otherwise, error);
}

/** What of a failure may be logged: words and codes, never a token, a claim or a body, which causes of the library hold. */
export const loggedCauses = (failure: SsoFailure): string[] =>
  causesOf(failure.cause)
    // What JSON is not may be quoted by its reader.
    .filter((cause) => !(cause instanceof SyntaxError))
    .map((cause) => [cause.name, refusalOf(cause) ?? codeOf(cause), cause.message].filter(Boolean).join(" "));

const CAUSES_MAX = 5;
const REFUSAL = /^[a-z_]{1,60}$/;

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause);
  return causes;
}

/** OAuth's own word, like `invalid_grant`. */
const refusalOf = (cause: Error): string | undefined =>
  "error" in cause && typeof cause.error === "string" && REFUSAL.test(cause.error) ? cause.error : undefined;

const codeOf = (cause: Error): string | undefined =>
  "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
