/**
 * Sends one request and reads its response, over a connection to an address that was checked. The name is not looked
 * up again; it is used only for `Host`, SNI and the certificate. A connection without an agent is always destroyed in
 * the end, a kept one unless the response was read to its end.
 */
import http, { type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import { OutboundError, outboundError } from "./error";
import type { ResolvedAddress, Target } from "./target";
import { describeCertificate, type TlsFacts } from "./tls-facts";

export interface ExchangeAsk {
  method: string;
  headers: Headers;
  body: Uint8Array | undefined;
  bytesMax: number;
  /** What becomes of a body larger than `bytesMax`: it fails with `too_large`, or is cut to that length. */
  beyond: "fail" | "cut";
  /** Replaces the system's certificates with these, in PEM. */
  ca: string | undefined;
  /** Keeps the connection for the next request. If absent, the connection serves only this one. */
  agent?: Agent;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it was sent: it is never decompressed, and the request asks for `identity`. */
  body: Uint8Array;
  tls?: TlsFacts;
}

/** The address could not be connected to. Nothing was sent, so another of the host's addresses may be tried. */
export class ConnectError extends OutboundError {}

/** A kept connection had ended meanwhile, as its other end may do at any time. A new one may be tried. */
export class StaleConnectionError extends OutboundError {}

const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Throws `OutboundError`, of which `ConnectError` is one. If `signal` ended the exchange, the error may have any
 * reason.
 */
export async function exchange(
  target: Target,
  at: ResolvedAddress,
  ask: ExchangeAsk,
  connectMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const request = open(target, at, ask);
  const end = () => request.destroy(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  let isWhole = false;
  try {
    const response = await answerTo(request, ask.body, connectMs);
    const tls = describeCertificate(response.socket);
    const body = await readBody(response, ask);
    isWhole = response.complete;
    return { status: response.statusCode ?? 0, headers: headersOf(response), body, ...(tls && { tls }) };
  } finally {
    signal.removeEventListener("abort", end);
    if (!isWhole || !ask.agent) request.destroy();
  }
}

function open({ url, hostname }: Target, at: ResolvedAddress, ask: ExchangeAsk): ClientRequest {
  const isSecure = url.protocol === "https:";
  const { request, Agent } = isSecure ? https : http;
  const toChecked: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [at]) : done(null, at.address, at.family);
  return request({
    method: ask.method,
    protocol: url.protocol,
    hostname,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(ask.headers), host: url.host },
    // A request that is given no agent has its own, without a pool and without a proxy from the environment.
    agent: ask.agent ?? new Agent({ keepAlive: false }),
    lookup: toChecked,
    maxHeaderSize: HEADER_BYTES_MAX,
    ...(isSecure && { ca: ask.ca, rejectUnauthorized: true, servername: isIP(hostname) === 0 ? hostname : "" }),
  });
}

function answerTo(request: ClientRequest, body: Uint8Array | undefined, connectMs: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const tooLate = new ConnectError("timeout", "Connecting took too long");
  const late = setTimeout(() => request.destroy(tooLate), connectMs);
  let isConnected = false;
  const connected = () => {
    isConnected = true;
    clearTimeout(late);
  };
  request.once("socket", (socket) => {
    if (request.reusedSocket) return connected();
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", connected);
  });
  request.once("response", resolve);
  request.once("upgrade", () => reject(new OutboundError("refused", "The server tried to switch protocols")));
  // Stays for the life of the request: a destroyed socket may still emit its error.
  request.on("error", (fault) => reject(isConnected ? brokenOff(request, fault) : connectError(fault)));
  request.once("close", () => {
    clearTimeout(late);
    reject(brokenOff(request, new OutboundError("refused", "The connection was closed without a response")));
  });
  request.end(body);
  return promise;
}

function brokenOff({ reusedSocket }: ClientRequest, fault: Error): OutboundError {
  const known = outboundError(fault);
  const isStale = reusedSocket && known.reason === "refused" && !(known.code ?? "").startsWith("HPE_");
  return isStale ? new StaleConnectionError("refused", known.message, fault) : known;
}

/** A certificate that is not valid would be no better at the host's other addresses. */
function connectError(fault: Error): OutboundError {
  const known = outboundError(fault);
  return known.reason === "refused" ? new ConnectError("refused", known.message, fault) : known;
}

async function readBody(response: IncomingMessage, { bytesMax, beyond }: ExchangeAsk): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      bytes += part.length;
      if (bytes > bytesMax) break;
    }
  } catch (fault) {
    throw outboundError(fault);
  }
  if (bytes > bytesMax && beyond === "fail") {
    throw new OutboundError("too_large", `The response is larger than ${bytesMax} bytes`);
  }
  return Buffer.concat(parts, Math.min(bytes, bytesMax));
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}
