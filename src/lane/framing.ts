/** What HTTP/1.1 says of where a message ends, and of what becomes of its connection. */

/** With one of these, a message or its connection goes on in another way than by its length. */
export const REFRAMING_HEADERS = [
  ...["transfer-encoding", "upgrade", "expect", "te", "trailer", "keep-alive", "proxy-connection", "http2-settings"],
] as const;

export const CONTENT_LENGTH = "content-length";
export const CONNECTION = "connection";
export const KEEP_ALIVE = "keep-alive";
