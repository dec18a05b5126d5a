/** Why a request of the outbound client failed. */
export type OutboundReason =
  /** The text is not an http(s) URL, or has userinfo. */
  | "bad_url"
  /** The host name has no address. */
  | "unresolved"
  /** The host has an address that is not public and that `OUTBOUND_ALLOW` does not name. */
  | "not_public"
  /** No connection, a broken one, or a response that is not HTTP. */
  | "refused"
  /** No TLS, or a certificate that is not the host's; `code` names the fault. */
  | "tls"
  | "timeout"
  /** The response's head or body is larger than requested. */
  | "too_large"
  /** More redirects than requested, or one that must not be followed. */
  | "redirects"
  /** The caller's own signal aborted the request. */
  | "aborted";

export class OutboundError extends Error {
  override name = "OutboundError";
  /** The code of the underlying fault, like `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code: string | undefined;
  constructor(
    readonly reason: OutboundReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = codeOf(cause);
  }
}

const TLS_CODES = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|EPROTO)/;

/** Returns the error for a fault of the socket, of TLS or of the HTTP parser. */
export function outboundError(fault: unknown): OutboundError {
  if (fault instanceof OutboundError) return fault;
  const code = codeOf(fault) ?? "";
  if (TLS_CODES.test(code)) return new OutboundError("tls", `Secure connection failed: ${messageOf(fault)}`, fault);
  if (code === "HPE_HEADER_OVERFLOW")
    return new OutboundError("too_large", "The response headers are too large", fault);
  if (code.startsWith("HPE_")) return new OutboundError("refused", "The response is not valid HTTP", fault);
  return new OutboundError("refused", `Connection failed: ${messageOf(fault)}`, fault);
}

/** Returns the error for a request whose caller gave up for this reason. */
export const abortedError = (reason: unknown): OutboundError =>
  reason instanceof OutboundError ? reason : new OutboundError("aborted", "The request was abandoned", reason);

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

const codeOf = (fault: unknown): string | undefined =>
  fault instanceof Error && "code" in fault && typeof fault.code === "string" ? fault.code : undefined;
