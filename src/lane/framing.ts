/** The headers by which HTTP/1.1 determines where a message ends and what happens to its connection. */

/**
 * Headers that make a message's end depend on more than its stated length, or that change the connection's use. `TE`
 * does neither: it says which responses the client would accept. Proxies written in Go pass it on for Firefox.
 */
export const REFRAMING_HEADERS = [
  ...["transfer-encoding", "upgrade", "expect", "trailer", "keep-alive", "proxy-connection", "http2-settings"],
] as const;

export const CONTENT_LENGTH = "content-length";
export const CONNECTION = "connection";
export const KEEP_ALIVE = "keep-alive";
